import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { giveMemoryBack } from './process-memory.ts'

it('Memory is given back once after a storm, when the process is idle, and not for what is usual', () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const state = { resident: 100, busyPart: 0, collected: 0 }
  giveMemoryBack({
    resident: () => state.resident,
    busyPart: () => state.busyPart,
    collect() {
      state.collected++
      state.resident = 105
    },
  })
  const after20Seconds = (now: Partial<typeof state>) => {
    Object.assign(state, now)
    mock.timers.tick(20_000)
    return state.collected
  }
  assert.equal(after20Seconds({ resident: 119 }), 0, 'less than a fifth')
  assert.equal(after20Seconds({ resident: 300, busyPart: 0.5 }), 0, 'a storm')
  assert.equal(after20Seconds({ resident: 300, busyPart: 0.04 }), 0, 'somebody would wait')
  assert.equal(after20Seconds({ busyPart: 0.01 }), 1)
  assert.equal(after20Seconds({}), 1, 'it is as it was')
  assert.equal(after20Seconds({ resident: 125 }), 1, 'less than a fifth above what stays')
  for (let n = 0; n < 27; n++) assert.equal(after20Seconds({ resident: 127 }), 1, 'ten minutes have not gone by')
  assert.equal(after20Seconds({}), 2)
  mock.timers.reset()
})

it('Memory is left alone where the collector is not at hand', () => {
  mock.timers.enable({ apis: ['setInterval'] })
  giveMemoryBack({ resident: () => assert.fail('nothing is looked at'), busyPart: () => 0, collect: undefined })
  mock.timers.tick(60_000)
  mock.timers.reset()
})

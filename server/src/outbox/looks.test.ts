import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLooks } from './looks.ts'

/** Looks that end when the test lets them. */
function fixture() {
  const begun: Array<PromiseWithResolvers<void>> = []
  const faults: unknown[] = []
  const look = () => {
    const one = Promise.withResolvers<void>()
    begun.push(one)
    return one.promise
  }
  return { begun, faults, looks: createLooks(look, (fault) => faults.push(fault)) }
}

/** All that is ready to run has run. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('Looks for work', () => {
  it('come one at a time; wakes during a look cause one more after it', async () => {
    const { begun, looks } = fixture()
    looks.wake()
    looks.wake()
    looks.wake()
    assert.equal(begun.length, 1)
    begun[0]?.resolve()
    await turn()
    assert.equal(begun.length, 2)
    begun[1]?.resolve()
    await turn()
    assert.equal(begun.length, 2)
    looks.wake()
    assert.equal(begun.length, 3)
  })

  it('go on after one that failed, which is reported', async () => {
    const { begun, faults, looks } = fixture()
    const away = new Error('away')
    looks.wake()
    begun[0]?.reject(away)
    await turn()
    assert.deepEqual(faults, [away])
    looks.wake()
    assert.equal(begun.length, 2)
  })

  it('are over when they are stopped: the one in progress is waited for, and none follows', async () => {
    const { begun, looks } = fixture()
    looks.start()
    looks.wake()
    assert.equal(looks.isStopped(), false)
    let isOver = false
    const stopping = looks.stop().then(() => (isOver = true))
    assert.equal(looks.isStopped(), true)
    await turn()
    assert.equal(isOver, false)
    begun[0]?.resolve()
    await stopping
    looks.wake()
    await turn()
    assert.equal(begun.length, 1)
  })

  it('come every second by themselves', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { begun, looks } = fixture()
    looks.start()
    begun[0]?.resolve()
    await turn()
    t.mock.timers.tick(1_000)
    assert.equal(begun.length, 2)
    begun[1]?.resolve()
    await looks.stop()
    t.mock.timers.tick(5_000)
    assert.equal(begun.length, 2)
  })
})

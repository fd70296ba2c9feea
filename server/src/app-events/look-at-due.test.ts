import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lookAndScan, lookAtSome } from './look-at-due.ts'

describe('Looks at what is due', () => {
  it('go on with a scan only where few are due, though one faults', async () => {
    const due = new Set(Array.from({ length: 300 }, (_, n) => n))
    const list = async (limit: number) => [...due].slice(0, limit)
    const look = async (one: number) => {
      if (one === 299) throw new Error('no look')
      due.delete(one)
    }
    let scans = 0
    const scan = async () => ++scans === 1
    const step = () => lookAndScan(list, look, scan)
    for (let n = 0; n < 2; n++) assert.deepEqual(await step(), { looked: 128, more: true })
    assert.deepEqual([scans, due.size], [0, 44])
    await assert.rejects(step(), /no look/)
    assert.deepEqual([scans, due.size], [1, 1])
    due.clear()
    assert.deepEqual(await step(), { looked: 0, more: false })
  })

  it('leave out none for the sake of one that faults, which stays due and is said', async () => {
    const due = new Set(Array.from({ length: 20 }, (_, n) => n))
    const look = async (one: number) => {
      if (one === 3) throw new Error('no look')
      due.delete(one)
    }
    await assert.rejects(
      lookAtSome(async () => [...due], look),
      /no look/,
    )
    assert.deepEqual([...due], [3])
  })

  it('say whether others wait', async () => {
    const some = await lookAtSome(
      async (limit) => Array.from({ length: limit }, (_, n) => n),
      async () => {},
    )
    assert.equal(some.more, true)
  })
})

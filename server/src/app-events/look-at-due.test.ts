import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lookAtAll, lookAtSome } from './look-at-due.ts'

describe('Looks at what is due', () => {
  it('go on until nothing is left', async () => {
    const due = new Set(Array.from({ length: 300 }, (_, n) => n))
    const list = async (limit: number) => [...due].slice(0, limit)
    const all = await lookAtAll(list, async (one) => void due.delete(one))
    assert.deepEqual([all, due.size], [300, 0])
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

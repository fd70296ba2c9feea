import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ChangeEvent } from './change.ts'
import { createMemory, createReadyMemory } from './memory.ts'

/** A feed of changes that the test makes, and a value whose reads it answers one by one. */
function fixture() {
  const followers: Array<(change: ChangeEvent) => void> = []
  const reads: Array<PromiseWithResolvers<string>> = []
  return {
    deps: {
      changes: { follow: (follower: (change: ChangeEvent) => void) => void followers.push(follower) },
      kind: 'product_changed' as const,
    },
    say: (kind: ChangeEvent['kind']) => followers.forEach((follower) => void follower({ kind, subject: 's' } as ChangeEvent)),
    reads,
    read: () => {
      const read = Promise.withResolvers<string>()
      reads.push(read)
      return read.promise
    },
  }
}

/** All that is ready to run has run. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('A value in memory', () => {
  it('is read once, however many ask, and again only after a change of its kind or of everything', async () => {
    const { deps, say, read, reads } = fixture()
    const memory = createMemory(read, deps)
    assert.equal(memory.current(), undefined)
    const asked = [memory.get(), memory.get()]
    await turn()
    assert.equal(reads.length, 1)
    assert.equal(memory.current(), undefined)
    reads[0]?.resolve('first')
    assert.deepEqual(await Promise.all(asked), ['first', 'first'])
    say('appearance_changed')
    assert.deepEqual([memory.current(), await memory.get(), reads.length], ['first', 'first', 1])
    for (const kind of ['product_changed', 'everything_changed'] as const) {
      say(kind)
      assert.equal(memory.current(), undefined)
      const again = memory.get()
      await turn()
      reads.at(-1)?.resolve(kind)
      assert.deepEqual([await again, memory.current()], [kind, kind])
    }
    assert.equal(reads.length, 3)
  })

  it('is read again after a change during the read, before anybody is answered', async () => {
    const { deps, say, read, reads } = fixture()
    const memory = createMemory(read, deps)
    const before = memory.get()
    await turn()
    say('product_changed')
    const after = memory.get()
    reads[0]?.resolve('old')
    await turn()
    assert.equal(memory.current(), undefined)
    assert.equal(reads.length, 2)
    reads[1]?.resolve('new')
    assert.deepEqual([await before, await after, memory.current()], ['new', 'new', 'new'])
  })

  it('is read again after a change that comes just as a read ends, at whichever of its steps', async () => {
    for (let steps = 0; steps < 12; steps++) {
      const { deps, say, read, reads } = fixture()
      const memory = createMemory(read, deps)
      const before = memory.get()
      await turn()
      reads[0]?.resolve('old')
      for (let step = 0; step < steps; step++) await Promise.resolve()
      say('product_changed')
      const after = memory.get()
      await turn()
      reads[1]?.resolve('new')
      assert.equal(await after, 'new', `${steps} steps after the read`)
      await before
    }
  })

  it('is asked for again after a failed read, which every one who waited for it hears of', async () => {
    const { deps, read, reads } = fixture()
    const memory = createMemory(read, deps)
    const asked = [memory.get(), memory.get()]
    await turn()
    reads[0]?.reject(new Error('away'))
    for (const one of asked) await assert.rejects(one, /away/)
    const again = memory.get()
    await turn()
    reads[1]?.resolve('back')
    assert.equal(await again, 'back')
  })

  it('is asked for again after a read that threw at once', async () => {
    const { deps } = fixture()
    let isAway = true
    const memory = createMemory(() => {
      if (isAway) throw new Error('away')
      return Promise.resolve('back')
    }, deps)
    await assert.rejects(memory.get(), /away/)
    isAway = false
    assert.equal(await memory.get(), 'back')
  })
})

describe('A value that is ready in memory', () => {
  it('is the first one until it was read, and is read at once after a change, once for all who wait', async () => {
    const { deps, say, read, reads } = fixture()
    const memory = createReadyMemory('none', read, { ...deps, onFault: (fault) => assert.ifError(fault) })
    assert.equal(memory.last(), 'none')
    say('product_changed')
    const waiting = [memory.refresh(), memory.refresh()]
    await turn()
    assert.equal(reads.length, 1)
    reads[0]?.resolve('first')
    await Promise.all(waiting)
    assert.equal(memory.last(), 'first')
    await memory.refresh()
    say('appearance_changed')
    await turn()
    assert.equal(reads.length, 1)
    say('everything_changed')
    await turn()
    assert.equal(reads.length, 2)
    assert.equal(memory.last(), 'first')
  })

  it('stays as it was after a failed read, which is reported once, and is read again for the next one to ask', async () => {
    const { deps, say, read, reads } = fixture()
    const faults: unknown[] = []
    const memory = createReadyMemory('none', read, { ...deps, onFault: (fault) => faults.push(fault) })
    const ready = memory.refresh()
    await turn()
    reads[0]?.resolve('first')
    await ready
    say('product_changed')
    const waiting = [memory.refresh(), memory.refresh()]
    await turn()
    const away = new Error('away')
    reads[1]?.reject(away)
    await Promise.all(waiting)
    assert.deepEqual([memory.last(), faults], ['first', [away]])
    const again = memory.refresh()
    await turn()
    reads[2]?.resolve('second')
    await again
    assert.deepEqual([memory.last(), faults, reads.length], ['second', [away], 3])
  })
})

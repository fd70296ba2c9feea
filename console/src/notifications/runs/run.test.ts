import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isShown, nextLook, percentOf, type Run, resultOf } from './run.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const asked = { awaiting: 0, processed: 0, failed: 0, other: 0 }
const run = (more: Partial<Run> = {}): Run => ({
  ...{ id: 'a', since: '', state: 'running', actor: '', total: 10, done: 4, processed: 4, asked: 0, asked_by_now: asked, pending: {} },
  ...{ created_at: '', finished_at: null },
  ...more,
})
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()

describe('A run of notifications', () => {
  it('is looked at each second while it is under way, and on while gateways have not answered, for ten minutes', () => {
    assert.equal(nextLook(undefined, NOW), false)
    assert.equal(nextLook(run(), NOW), 1_000)
    const waits = { state: 'done', asked_by_now: { ...asked, awaiting: 1 } } as const
    assert.equal(nextLook(run({ ...waits, finished_at: ago(9) }), NOW), 2_000)
    assert.equal(nextLook(run({ ...waits, finished_at: ago(11) }), NOW), false)
    assert.equal(nextLook(run({ state: 'done', finished_at: ago(1) }), NOW), false)
  })

  it('is shown while it is under way, whoever closed it, and for an hour after its end until it is closed', () => {
    assert.equal(isShown(run(), 'a', NOW), true)
    assert.equal(isShown(run({ state: 'stopped', finished_at: ago(59) }), '', NOW), true)
    assert.equal(isShown(run({ state: 'stopped', finished_at: ago(59) }), 'a', NOW), false)
    assert.equal(isShown(run({ state: 'done', finished_at: ago(61) }), '', NOW), false)
  })

  it('is done when it says so, though others were faster with some', () => {
    assert.deepEqual([percentOf(run()), percentOf(run({ state: 'done' })), percentOf(run({ total: 0 }))], [40, 100, 100])
    assert.equal(percentOf(run({ state: 'stopped' })), 40)
    assert.equal(percentOf(run({ done: 12 })), 100)
  })

  it('counts what gateways answered later among its results', () => {
    const late = run({ processed: 2, asked: 6, asked_by_now: { awaiting: 1, processed: 3, failed: 1, other: 1 }, pending: { x: 1, y: 2 } })
    assert.deepEqual(resultOf(late), { processed: 5, awaiting: 1, failed: 1, pending: 3 })
  })
})

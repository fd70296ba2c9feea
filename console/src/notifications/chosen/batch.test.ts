import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BatchResult, canChoose, isWorthAnotherLook, tally } from './batch.ts'
import { countsPath, countText } from './counts.ts'

const result = (outcome: BatchResult['outcome'], why: string | null = null): BatchResult => ({ id: '', outcome, why, status: null })

describe('Chosen notifications', () => {
  it('are those that somebody can do something about', () => {
    assert.equal(canChoose({ status: 'failed', why: 'connect ETIMEDOUT' }), true)
    assert.equal(canChoose({ status: 'unresolved', why: 'unknown_plan' }), true)
    assert.equal(canChoose({ status: 'unresolved', why: 'awaiting_gateway' }), false)
    for (const status of ['processed', 'ignored', 'test', 'refused'] as const) assert.equal(canChoose({ status, why: null }), false)
  })

  it('are counted by outcome and reason, the ones that succeeded first', () => {
    const results = [
      result('pending', 'unknown_plan'),
      result('asked'),
      result('pending', 'unusable_address'),
      result('processed'),
      result('pending', 'unknown_plan'),
    ]
    assert.deepEqual(
      tally(results).map(({ outcome, why, count }) => [outcome, why, count]),
      [
        ['processed', null, 1],
        ['asked', null, 1],
        ['pending', 'unknown_plan', 2],
        ['pending', 'unusable_address', 1],
      ],
    )
    assert.deepEqual([isWorthAnotherLook(results), isWorthAnotherLook([result('asked'), result('unchanged')])], [true, false])
  })
})

describe('The tabs of notifications', () => {
  it('count under the filters of the list, whatever the status', () => {
    assert.equal(countsPath({}), 'notifications/counts')
    assert.equal(countsPath({ status: 'failed' }), 'notifications/counts')
    assert.equal(countsPath({ status: 'failed', email: 'a+b@example.com' }), 'notifications/counts?email=a%2Bb%40example.com')
  })

  it('say of more than a thousand that there are more', () => {
    assert.deepEqual([countText(12, 'pt-BR'), countText(1_000, 'pt-BR'), countText(1_001, 'pt-BR')], ['12', '1.000', '1.000+'])
  })
})

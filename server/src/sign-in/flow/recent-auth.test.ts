import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRecentAuth } from './recent-auth.ts'

const NOW = Date.UTC(2031, 4, 20)
const MINUTE_MS = 60_000

describe('A recent authentication', () => {
  it('W9: is fresh for ten minutes, and not for a day where a clock that was a day ahead wrote it', () => {
    for (const [agoMinutes, hasRecentAuth] of [
      [0, true],
      [9, true],
      [10, false],
      [-2, true],
      [-1_440, false],
    ] as const) {
      const at = NOW - agoMinutes * MINUTE_MS
      assert.equal(isRecentAuth({ authenticatedAt: at, secondFactorAt: undefined }, 'one', NOW), hasRecentAuth, `${agoMinutes}`)
      assert.equal(isRecentAuth({ authenticatedAt: NOW, secondFactorAt: at }, 'two', NOW), hasRecentAuth, `${agoMinutes} with two factors`)
    }
  })
})

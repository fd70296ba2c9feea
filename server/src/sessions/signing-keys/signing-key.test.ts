import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DAY_MS } from '../../kit/index.ts'
import { nextKeyDue, PUBLISHED_AHEAD_MS, type SigningKey, signingKeyAt, verifyingKeysAt } from './signing-key.ts'

function key(kid: string, signsFrom: number, revokedAt?: number): SigningKey {
  return { kid, publicJwk: '{}', privateSealed: '', rsa: undefined, createdAt: Math.max(0, signsFrom - DAY_MS), signsFrom, revokedAt }
}

const kids = (keys: readonly SigningKey[]) => keys.map(({ kid }) => kid)
const YEAR_MS = 365 * DAY_MS
const history = fc
  .uniqueArray(fc.record({ at: fc.integer({ min: 0, max: YEAR_MS }), revoked: fc.boolean() }), {
    selector: ({ at }) => at,
    minLength: 1,
    maxLength: 8,
  })
  .map((rows) => rows.map(({ at, revoked }, i) => key(`k${i}`, at, revoked ? at + DAY_MS : undefined)))

describe('Signing keys', () => {
  it('sign from their moment until the next one begins', () => {
    const keys = [key('old', 0), key('new', 10 * DAY_MS)]
    assert.equal(signingKeyAt(keys, 10 * DAY_MS - 1)?.kid, 'old')
    assert.equal(signingKeyAt(keys, 10 * DAY_MS)?.kid, 'new')
    assert.equal(signingKeyAt([], 0), undefined)
  })

  it('of another node whose clock is ahead sign here at once where there is no other, and no second one is made', () => {
    const keys = [key('made by the other node', 5)]
    assert.equal(signingKeyAt(keys, 0)?.kid, 'made by the other node')
    assert.equal(nextKeyDue(keys, 0), undefined)
  })

  it('are published before they sign, and until the last token of theirs has expired', () => {
    const keys = [key('old', 0), key('new', 10 * DAY_MS)]
    assert.deepEqual(kids(verifyingKeysAt(keys, 9 * DAY_MS)), ['old', 'new'])
    assert.deepEqual(kids(verifyingKeysAt(keys, 40 * DAY_MS - 1)), ['old', 'new'])
    assert.deepEqual(kids(verifyingKeysAt(keys, 40 * DAY_MS)), ['new'])
  })

  it('once revoked neither sign nor verify, at any time', () => {
    const keys = [key('old', 0), key('stolen', DAY_MS, 2 * DAY_MS)]
    assert.equal(signingKeyAt(keys, 3 * DAY_MS)?.kid, 'old')
    for (const at of [0, DAY_MS, 3 * DAY_MS, YEAR_MS]) assert.ok(!kids(verifyingKeysAt(keys, at)).includes('stolen'))
  })

  it('verify whatever they have signed for the thirty days that it may live', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: YEAR_MS }), fc.integer({ min: 0, max: 30 * DAY_MS }), (keys, signedAt, age) => {
        const signer = signingKeyAt(keys, signedAt)
        if (!signer) return
        assert.equal(signer.revokedAt, undefined)
        const begun = keys.filter(({ signsFrom, revokedAt }) => revokedAt === undefined && signsFrom <= signedAt)
        assert.ok(begun.length === 0 || begun.includes(signer))
        assert.ok(kids(verifyingKeysAt(keys, signedAt + age)).includes(signer.kid))
      }),
    )
  })

  it('are made one in ninety days, a day before they sign, and at once where none signs', () => {
    assert.equal(nextKeyDue([], 5), 5)
    assert.equal(nextKeyDue([key('stolen', 0, 1)], 5), 5)
    const keys = [key('only', 0)]
    assert.equal(nextKeyDue(keys, 89 * DAY_MS - 1), undefined)
    assert.equal(nextKeyDue(keys, 89 * DAY_MS), 90 * DAY_MS)
    assert.equal(nextKeyDue([...keys, key('next', 90 * DAY_MS)], 89 * DAY_MS), undefined)
    assert.equal(nextKeyDue([...keys, key('next', 90 * DAY_MS, 5)], 89 * DAY_MS), 90 * DAY_MS)
  })

  it('tended for a year never leave a moment without a signer, and each is published a day before it signs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 48 }), (hours) => {
        const keys: SigningKey[] = []
        for (let now = 0; now < YEAR_MS; now += hours * 3_600_000) {
          const due = nextKeyDue(keys, now)
          if (due !== undefined) keys.push({ ...key(`k${keys.length}`, due), createdAt: now })
          assert.ok(signingKeyAt(keys, now))
        }
        assert.ok(keys.length === 4 || keys.length === 5, `${keys.length} keys`)
        for (const { createdAt, signsFrom } of keys.slice(1)) assert.equal(signsFrom - createdAt, PUBLISHED_AHEAD_MS)
      }),
      { numRuns: 20 },
    )
  })
})

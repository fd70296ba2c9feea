import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LiveSession } from '../session.ts'
import type { TokenClaims } from '../tokens.ts'
import { createChecks } from './check.ts'

const unused = () => assert.fail('not asked here')

function liveSession(): LiveSession {
  return {
    id: 's',
    userId: 'u',
    productId: undefined,
    clientId: undefined,
    openIdSince: undefined,
    boundHash: undefined,
    createdAt: 0,
    expiresAt: 10_000,
    impersonation: undefined,
    claimsUntil: Number.POSITIVE_INFINITY,
    stale: false,
    era: 0,
    seenAt: 0,
    takenAt: 0,
    claims: {
      email: 'a@b.cc',
      name: 'A',
      isProducer: false,
      isBeta: false,
      planSlug: undefined,
      avatarUrl: undefined,
      companyName: undefined,
      rankName: undefined,
    },
  }
}

interface Given {
  find: () => Promise<LiveSession>
  verify: () => Promise<TokenClaims | undefined>
  now?: () => number
}

function createGiven({ find, verify, now = () => 1 }: Given) {
  let readAnew = () => {}
  const checks = createChecks({
    tokens: { sign: unused, verify, hearOfKey: unused },
    sessions: {
      find,
      isTrusted: () => true,
      forgetEverything() {},
      note() {},
      isStale: ({ stale }) => stale,
      takeLastSeen: async () => new Map(),
      size: () => 0,
    },
    keys: {
      onLoad(follower) {
        readAnew = follower
      },
      signer: unused,
      verifier: unused,
      hearOf: unused,
      jwks: unused,
      privateJwks: unused,
      keys: unused,
      load: unused,
    },
    domainAudience: 'd',
    now,
  })
  return { checks, readAnew: () => readAnew() }
}

const claims = { sub: 'u', sid: 's', jti: 'j', exp: 10, iat: 0, clientId: undefined, scope: undefined }

describe('A check under way while signing keys are read anew', () => {
  it('is not remembered, since its key may be the one that was revoked', async () => {
    const session = liveSession()
    const held = Promise.withResolvers<LiveSession>()
    let isRevoked = false
    const { checks, readAnew } = createGiven({ find: () => held.promise, verify: async () => (isRevoked ? undefined : claims) })
    const underWay = checks.find(['token'], 'd')
    await new Promise(setImmediate)
    isRevoked = true
    readAnew()
    held.resolve(session)
    assert.equal(await underWay, session)
    assert.equal(await checks.find(['token'], 'd'), undefined)
  })
})

describe('The memory of tokens', () => {
  it('lets go of those whose session is forgotten or over, and of no other', async () => {
    const [live, forgotten] = [liveSession(), liveSession()]
    let at = 1
    const found = [live, forgotten, live]
    const { checks } = createGiven({ find: async () => found.shift() ?? live, verify: async () => claims, now: () => at })
    for (const token of ['one', 'two']) await checks.find([token], 'd')
    forgotten.stale = true
    await checks.forgetOver()
    assert.equal(checks.size(), 1)
    assert.ok(checks.remembered('eg_session=one'))
    at = 10_001
    await checks.forgetOver()
    assert.equal(checks.size(), 0)
  })
})

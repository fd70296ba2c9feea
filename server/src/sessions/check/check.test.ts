import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LiveSession } from '../session.ts'
import { createChecks } from './check.ts'

describe('A check under way while signing keys are read anew', () => {
  it('is not remembered, since its key may be the one that was revoked', async () => {
    const session: LiveSession = {
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
    const held = Promise.withResolvers<LiveSession>()
    let isRevoked = false
    let readAnew = () => {}
    const claims = { sub: 'u', sid: 's', jti: 'j', exp: 10, iat: 0, clientId: undefined, scope: undefined }
    const unused = () => assert.fail('not asked here')
    const checks = createChecks({
      tokens: { sign: unused, verify: async () => (isRevoked ? undefined : claims), hearOfKey: unused },
      sessions: {
        find: () => held.promise,
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
      now: () => 1,
    })
    const underWay = checks.find(['token'], 'd')
    await new Promise(setImmediate)
    isRevoked = true
    readAnew()
    held.resolve(session)
    assert.equal(await underWay, session)
    assert.equal(await checks.find(['token'], 'd'), undefined)
  })
})

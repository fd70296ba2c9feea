import type { Adapter } from 'oidc-provider'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import type { LiveSessions } from '../../sessions/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { FindClientDeps } from '../client-documents/find-client.ts'
import { openIdTokenStore } from '../store.ts'
import { exchangeOf } from './exchange.ts'
import type { Library } from './library.ts'
import { redeem } from './redemption.ts'

export interface AdapterDeps extends FindClientDeps {
  storage: Storage
  changes: ChangeFeed
  sessions: LiveSessions
  unusedSecret: string
  baseUrl: string
  now: Now
}

export const nothing: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
}

export function tokenAdapter(kind: string, { errors, Provider }: Library, deps: AdapterDeps): Adapter {
  const { storage, now } = deps
  const tokens = openIdTokenStore(storage.db)
  return {
    ...nothing,
    async upsert(value, { jti: _value, ...payload }, expiresIn = 0) {
      const token = { kind, sessionId: payload.grantId, payload, expiresAt: now() + expiresIn * 1000 }
      const redemption = Provider.ctx && exchangeOf(Provider.ctx).redemption
      if (redemption) redemption.tokens.push({ value, token })
      else await tokens.insert(value, token)
    },
    async find(value) {
      const token = await tokens.find(kind, value)
      if (!token) return undefined
      const consumed = token.consumedAt === undefined ? {} : { consumed: Math.floor(token.consumedAt / 1000) }
      return { ...token.payload, jti: value, exp: onThisClock(token.expiresAt, now), ...consumed }
    },
    /** Codes and refresh tokens are used up with the answer (`finishRedemption`), a pushed request at once. */
    async consume(value) {
      const sessionId = (await tokens.find(kind, value))?.sessionId
      const redemption = { kind, value, sessionId, tokens: [] }
      if (Provider.ctx && kind !== 'PushedAuthorizationRequest') exchangeOf(Provider.ctx).redemption = redemption
      else if ((await redeem(redemption, deps)) !== 'redeemed')
        throw new errors.InvalidRequestUri('request_uri was used before, or has expired')
    },
    destroy: (value) => tokens.remove(kind, value),
    revokeByGrantId: (sessionId) => tokens.removeOfSession(kind, sessionId),
  }
}

/** A time of ours in seconds, as the library's clock (the machine's) would give it: it compares by that. */
function onThisClock(at: number, now: Now): number {
  return Math.floor((at + Date.now() - now()) / 1000)
}

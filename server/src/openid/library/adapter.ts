import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { OpenIdClient } from '../../products/index.ts'
import type { LiveSession } from '../../sessions/index.ts'
import { consentedScopes } from '../../sign-in/index.ts'
import { isDatabaseAway } from '../../storage/index.ts'
import { clientMetadata, describedMetadata, grantedScopes, SCOPE_CLAIMS } from '../client.ts'
import { findClient } from '../client-documents/find-client.ts'
import { exchangeOf } from './exchange.ts'
import type { Library } from './library.ts'
import { endGrant } from './redemption.ts'
import { type AdapterDeps, nothing, tokenAdapter } from './token-adapter.ts'

/** The models that are rows of ours. All others are answered from products and sessions, or not used at all. */
const STORED = ['AuthorizationCode', 'AccessToken', 'RefreshToken', 'PushedAuthorizationRequest']

/**
 * The library's storage. A client is a product; a grant is the client's session, so that whatever ends the session ends all its tokens. The
 * library's own sessions and interactions are never stored. Faults of the database are answered as OAuth words them.
 */
export function createAdapter(model: string, library: Library, deps: AdapterDeps): Adapter {
  const adapter = adapterFor(model, library, deps)
  const { errors } = library
  const guarded = Object.entries(adapter).map(([name, work]) => [
    name,
    async (...given: unknown[]) => {
      try {
        return await Reflect.apply(work, adapter, given)
      } catch (error) {
        if (isDatabaseAway(error)) throw databaseAway(errors)
        throw error
      }
    },
  ])
  return Object.fromEntries(guarded)
}

/** `temporarily_unavailable` (RFC 6749 §4.1.2.1) with 503, so that the client tries again. */
export function databaseAway(errors: Library['errors']): Error {
  return Object.assign(new errors.TemporarilyUnavailable('try again in a moment'), { status: 503, statusCode: 503 })
}

function adapterFor(model: string, library: Library, deps: AdapterDeps): Adapter {
  if (model === 'Client') return { ...nothing, find: (id) => findMetadata(id, library, deps) }
  if (model === 'Grant') return { ...nothing, find: (id) => findGrant(id, deps), destroy: (id) => endGrant(id, deps) }
  if (STORED.includes(model)) return tokenAdapter(model, library, deps)
  return nothing
}

async function findMetadata(id: string, { Provider }: Library, deps: AdapterDeps): Promise<AdapterPayload | undefined> {
  const client = await findClient(id, deps)
  if (!client?.address) return client && clientMetadata(client, deps.unusedSecret)
  const described = Provider.ctx && exchangeOf(Provider.ctx).described
  return describedMetadata(client, client.address, described?.address.href === id ? described.document : undefined)
}

/**
 * A client's live session as its grant. `undefined` once it has ended, once the product was turned off since, and once the user has
 * withdrawn their consent. It gives what the product's scopes and the consent both have at this moment, whatever was given before.
 */
async function findGrant(id: string, deps: AdapterDeps): Promise<AdapterPayload | undefined> {
  const session = await deps.sessions.find(id)
  if (session?.productId === undefined) return undefined
  const client = await clientOfSession(session, deps)
  if (!client || session.openIdSince !== client.product.openid.since) return undefined
  const allowed = await consentedScopes(session.userId, client.product, deps.storage.db)
  if (!allowed) return undefined
  const scopes = grantedScopes({ scopes: allowed })
  const claims = scopes.flatMap((scope) => (scope === 'offline_access' ? [] : SCOPE_CLAIMS[scope]))
  const apis = [`${deps.baseUrl}/api`, ...client.product.openid.resources]
  return {
    kind: 'Grant',
    jti: id,
    accountId: session.userId,
    clientId: session.clientId ?? client.product.publishableKey,
    exp: Math.floor(session.expiresAt / 1000),
    openid: { scope: scopes.join(' '), claims },
    resources: Object.fromEntries(apis.map((resource) => [resource, scopes.join(' ')])),
  }
}

/** `undefined` too where a client describes itself and its product takes no such clients any more. */
async function clientOfSession({ productId, clientId }: LiveSession, deps: AdapterDeps): Promise<OpenIdClient | undefined> {
  const client =
    clientId === undefined
      ? [...(await deps.products.openIdClients()).values()].find(({ product }) => product.id === productId)
      : await findClient(clientId, deps)
  return client?.product.id === productId ? client : undefined
}

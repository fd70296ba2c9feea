// The OpenID Connect library alone, with everything in memory, in a process of its own: the least that its work costs. Argument: a port.
import { createServer } from 'node:http'
import process from 'node:process'
import { exportJWK, generateKeyPair } from 'jose'
import { type Adapter, type AdapterPayload, type Configuration, Provider } from 'oidc-provider'

export const CLIENT = {
  id: 'pk_bench',
  secret: 'a client secret of the bench, as long as a key',
  redirectUri: 'https://app.bench.test/callback',
}
const SCOPE = 'openid profile email offline_access'
const CLAIMS = { name: 'Ana Conceição', email: 'ana@bench.test', email_verified: true }

export type TokenKind = 'AuthorizationCode' | 'RefreshToken' | 'AccessToken'

/** The bench asks for values of a kind, and is sent them. */
export interface Making {
  make: TokenKind
  count: number
}

/** Called for each row that the library stores. */
type Stored = (model: string, id: string, payload: AdapterPayload, expiresInSeconds: number) => void

export async function libraryAlone(issuer: string, stored: Stored = () => {}): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const configuration: Configuration = {
    adapter: (model: string) => inMemory(model, stored),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'bench', alg: 'RS256', use: 'sig' }] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [CLIENT.redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    scopes: SCOPE.split(' '),
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    pkce: { required: () => false },
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    cookies: { keys: ['a cookie key of the bench'] },
    features: { devInteractions: { enabled: false }, introspection: { enabled: true }, revocation: { enabled: true } },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...CLAIMS }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 3_600,
      AuthorizationCode: 600,
      IdToken: 3_600,
      RefreshToken: 86_400,
      Grant: 86_400,
      Interaction: 600,
      Session: 86_400,
    },
  }
  return new Provider(issuer, configuration)
}

function inMemory(model: string, stored: Stored): Adapter {
  const rows = new Map<string, AdapterPayload>()
  return {
    async upsert(id, payload, expiresIn = 0) {
      rows.set(id, payload)
      stored(model, id, payload, expiresIn)
    },
    find: async (id) => rows.get(id),
    findByUserCode: async () => undefined,
    findByUid: async (uid) => [...rows.values()].find((row) => row.uid === uid),
    async consume(id) {
      Object.assign(rows.get(id) ?? {}, { consumed: Math.floor(Date.now() / 1000) })
    },
    async destroy(id) {
      rows.delete(id)
    },
    async revokeByGrantId(grantId) {
      for (const [id, row] of rows) if (row.grantId === grantId) rows.delete(id)
    },
  }
}

export interface Grant {
  id: string
  userId: string
}

/** A grant of the library's own. */
export async function makeGrant(provider: Provider, userId: string): Promise<Grant> {
  const grant = new provider.Grant({ accountId: userId, clientId: CLIENT.id })
  grant.addOIDCScope(SCOPE)
  return { id: await grant.save(), userId }
}

/** Codes or tokens, of the grants in turn. */
export async function makeValues(provider: Provider, { make, count }: Making, grants: readonly Grant[]): Promise<string[]> {
  const client = await provider.Client.find(CLIENT.id)
  if (!client) throw new Error('the client is gone')
  const values: string[] = []
  for (let n = 0; n < count; n++) {
    const grant = grants[n % grants.length]
    if (!grant) throw new Error('no grant')
    const common = { accountId: grant.userId, client, grantId: grant.id, scope: SCOPE, expiresWithSession: false }
    const authenticated = { ...common, authTime: Math.floor(Date.now() / 1000), nonce: 'n', sid: grant.id, gty: 'authorization_code' }
    if (make === 'AccessToken') values.push(await new provider.AccessToken({ ...common, gty: 'authorization_code' }).save())
    else if (make === 'RefreshToken') values.push(await new provider.RefreshToken({ ...authenticated, rotations: 0 }).save())
    else values.push(await new provider.AuthorizationCode({ ...authenticated, redirectUri: CLIENT.redirectUri }).save())
  }
  return values
}

if (import.meta.main) {
  const port = Number(process.argv[2])
  const provider = await libraryAlone(`http://127.0.0.1:${port}`)
  const grants = await Promise.all(Array.from({ length: 500 }, (_, n) => makeGrant(provider, `user-${n}`)))
  const handle = provider.callback()
  createServer({ keepAliveTimeout: 72_000 }, (request, response) => void handle(request, response)).listen(port, '127.0.0.1')
  process.on('message', (making: Making) => void makeValues(provider, making, grants).then((values) => process.send?.(values)))
  process.on('disconnect', () => process.exit())
}

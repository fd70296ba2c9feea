import { once } from 'node:events'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { openIdTokenStore } from '../server/src/openid/store.ts'
import { changeProduct, createProduct, type Product } from '../server/src/products/index.ts'
import { sessionStore, takeProductSession } from '../server/src/sessions/index.ts'
import { askOnce, expecting, request } from './harness/connection.ts'
import { median, type Row, spread } from './harness/figures.ts'
import { type Fixture, makeFixture } from './harness/fixture.ts'
import { CLIENT, type Grant, libraryAlone, makeValues, type TokenKind } from './harness/library-alone.ts'
import { closedLoop, eachOnce } from './harness/load.ts'
import { openConnections } from './harness/pair.ts'
import { type Running, startLibraryAlone, startService } from './harness/processes.ts'
import { measureStart } from './start.ts'

const LINES = 8
const SESSIONS = 500
const SETTLED_MS = 5_000

interface Rounds {
  count: number
  /** Requests a round. */
  each: number
}

/** A server with its own credentials, and a way to have codes and tokens there. */
interface Side {
  server: Running
  client: { id: string; secret: string }
  make(kind: TokenKind, count: number): Promise<string[]>
}

/** The endpoints of OpenID Connect against the library alone, which keeps everything in memory; then what it costs to have them. */
export async function measureOpenId({ fresh, rounds }: { fresh: (name: string) => string; rounds: Rounds }): Promise<Row[]> {
  const fixture = await makeFixture(fresh('openid'), 5_000)
  const off = await atRest(fixture.folder)
  const startOff = await measureStart(fixture.folder)
  const { client, product } = await makeApp(fixture)
  const on = await atRest(fixture.folder)
  const startOn = await measureStart(fixture.folder)
  const grants = await makeSessions(fixture, product)
  const [service, alone] = [await startService(fixture.folder), await startLibraryAlone()]
  const sides: [Side, Side] = [
    { server: service, client, make: (kind, count) => makeRows(fixture, { kind, count }, grants) },
    { server: alone, client: CLIENT, make: (kind, count) => askFor(alone, kind, count) },
  ]
  const rows = [
    await measure('token request: code to tokens', sides, rounds, { kind: 'AuthorizationCode', ask: codeRequest, sign: '"id_token"' }),
    await measure('token request: refresh', sides, rounds, { kind: 'RefreshToken', ask: refreshRequest, sign: '"id_token"' }),
    await measure('userinfo', sides, rounds, { kind: 'AccessToken', ask: userinfoRequest, sign: '"sub"' }),
    await measure('introspection', sides, rounds, { kind: 'AccessToken', ask: introspectionRequest, sign: '"active":true' }),
    await measure('authorization request of a stranger', sides, rounds, { kind: 'none', ask: authorizationRequest, sign: 'ocation: ' }),
  ]
  await Promise.all([service.stop(), alone.stop()])
  await fixture.context.close()
  return [
    ...rows,
    {
      figure: 'memory at rest, without and with OpenID Connect',
      value: `**${off.rest.toFixed(0)} MB** and **${on.rest.toFixed(0)} MB**`,
      beside: `resident, 5 s after the start; ${on.used.toFixed(0)} MB once it has been asked for; load average ${load()}`,
    },
    {
      figure: 'second `npm start`, without and with OpenID Connect',
      value: `${startOff.value} and ${startOn.value}`,
      beside: startOn.beside,
    },
  ]
}

const load = () => (loadavg()[0] ?? 0).toFixed(1)

async function makeApp({ context }: Fixture): Promise<{ client: Side['client']; product: Product }> {
  const deps = { ...context, actor: 'operator:bench' } as const
  const made = await createProduct(
    {
      ...{ slug: 'grafana', name: 'Grafana', audience: 'internal', checkout: 'integrated', handoff: 'eg_session' },
      ...{ scopes: ['read:email', 'read:profile'], queryKeyAllowed: false },
      redirectUris: [{ uri: CLIENT.redirectUri, trusted: false }],
    },
    deps,
  )
  if ('refusal' in made) throw new Error(JSON.stringify(made))
  const changed = await changeProduct('grafana', { openid: { kind: 'web', pkce: 'optional' } }, deps)
  if ('refusal' in changed) throw new Error(changed.refusal)
  return { client: { id: changed.publishableKey, secret: made.apiKey }, product: changed }
}

/** Sessions of the app, each below a user's own. */
async function makeSessions({ context, sessionTokens }: Fixture, { id: productId, openid }: Product): Promise<Grant[]> {
  const origin = { ip: '192.0.2.1', userAgent: 'bench' }
  const given = { productId, openIdSince: openid?.since ?? 0, origin }
  const grants: Grant[] = []
  for (const token of await sessionTokens(0, SESSIONS)) {
    const parent = await sessionStore(context.storage.db).findLive(String(decodeJwt(token).sid), Date.now())
    if (!parent) throw new Error('a session is not there')
    const session = await context.storage.transaction((tx) => takeProductSession(tx, { parent, ...given }, Date.now()))
    if (!session) throw new Error('no session of the app')
    grants.push({ id: session.id, userId: session.userId })
  }
  return grants
}

/** Rows as the service itself writes them: the library makes them, and its storage hands them over. */
async function makeRows({ context }: Fixture, { kind, count }: { kind: TokenKind; count: number }, grants: Grant[]): Promise<string[]> {
  const rows: Array<Parameters<ReturnType<typeof openIdTokenStore>['insert']>> = []
  const library = await libraryAlone('https://sso.bench.test', (model, value, { jti: _value, ...payload }, expiresIn) =>
    rows.push([value, { kind: model, sessionId: payload.grantId, payload, expiresAt: Date.now() + expiresIn * 1_000 }]),
  )
  const values = await makeValues(library, { make: kind, count }, grants)
  const clientId = await publishableKey(context)
  await context.storage.transaction(async (tx) => {
    for (const [value, row] of rows) await openIdTokenStore(tx).insert(value, { ...row, payload: { ...row.payload, clientId } })
  })
  return values
}

async function publishableKey({ storage }: Fixture['context']): Promise<string> {
  const row = await storage.db.selectFrom('products').select('publishable_key').where('slug', '=', 'grafana').executeTakeFirstOrThrow()
  return row.publishable_key
}

async function askFor({ child }: Running, make: TokenKind, count: number): Promise<string[]> {
  child.send({ make, count })
  const [values] = await once(child, 'message')
  return values
}

type Ask = (value: string, client: Side['client']) => Buffer

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const post = (path: string, fields: Record<string, string>, { id, secret }: Side['client']) =>
  request(
    'POST',
    path,
    { ...FORM, authorization: `Basic ${Buffer.from(`${id}:${encodeURIComponent(secret)}`).toString('base64')}` },
    new URLSearchParams(fields).toString(),
  )
/** The library's own paths are those of its defaults. */
const path = (ours: string, its: string, { id }: Side['client']) => (id === CLIENT.id ? its : `/openid/${ours}`)

const codeRequest: Ask = (code, client) =>
  post(path('token', '/token', client), { grant_type: 'authorization_code', code, redirect_uri: CLIENT.redirectUri }, client)
const refreshRequest: Ask = (refresh_token, client) =>
  post(path('token', '/token', client), { grant_type: 'refresh_token', refresh_token }, client)
const userinfoRequest: Ask = (token, client) => request('GET', path('userinfo', '/me', client), { authorization: `Bearer ${token}` })
const introspectionRequest: Ask = (token, client) => post(path('introspect', '/token/introspection', client), { token }, client)
const authorizationRequest: Ask = (_value, client) =>
  request(
    'GET',
    `${path('authorize', '/auth', client)}?${new URLSearchParams({
      client_id: client.id,
      redirect_uri: CLIENT.redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: 'x'.repeat(43),
      nonce: 'x'.repeat(43),
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })}`,
    { accept: 'text/html' },
  )

/** Rounds in turn, each with fresh values, which are made before the clock runs. */
async function measure(
  figure: string,
  sides: [Side, Side],
  { count, each }: Rounds,
  { kind, ask, sign }: { kind: TokenKind | 'none'; ask: Ask; sign: string },
): Promise<Row> {
  const accept = expecting(sign)
  const lines = await Promise.all(sides.map(({ server }) => openConnections(server.port, LINES)))
  const [rates, cpu]: [number[][], number[][]] = [
    [[], []],
    [[], []],
  ]
  for (let round = -2; round < count; round++)
    for (const n of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const side = sides[n]
      if (!side) continue
      const values = kind === 'none' ? Array.from({ length: each }, () => '') : await side.make(kind, each)
      const cpuBefore = side.server.cpuMs()
      const { ms } = await closedLoop(lines[n] ?? [], eachOnce(values.map((value) => ask(value, side.client))), accept)
      // The first two rounds warm up.
      if (round < 0) continue
      rates[n]?.push((each * 1_000) / ms)
      cpu[n]?.push(((side.server.cpuMs() - cpuBefore) * 1_000) / each)
    }
  for (const connection of lines.flat()) connection.close()
  const ratio = (of: number[][], up: 0 | 1) => (of[up] ?? []).map((value, n) => value / (of[1 - up]?.[n] ?? Number.NaN))
  const described = [0, 1].map((n) => `${median(rates[n] ?? []).toFixed(0)}/s, ${median(cpu[n] ?? []).toFixed(0)} µs of CPU each`)
  return {
    figure: `${figure}, against the library alone in memory`,
    value: spread(ratio(rates, 0)),
    beside: `by CPU time ${spread(ratio(cpu, 1))}; ${described.join(' against ')}; load average ${load()}`,
  }
}

/** Resident memory 5 s after the start, and after the library has been asked for. */
async function atRest(folder: string): Promise<{ rest: number; used: number }> {
  const service = await startService(folder)
  await sleep(SETTLED_MS)
  const rest = service.residentMb()
  await askOnce(service.port, request('GET', '/.well-known/openid-configuration'))
  await sleep(SETTLED_MS)
  const used = service.residentMb()
  await service.stop()
  return { rest, used }
}

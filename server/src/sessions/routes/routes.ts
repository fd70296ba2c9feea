import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ChangeFeed } from '../changes/index.ts'
import {
  asciiJson,
  bearerToken,
  createPrebuiltResponses,
  formBody,
  jsonObject,
  type Metrics,
  type Responses,
  readCookies,
  type SecurityHeaders,
} from '../http/index.ts'
import type { AccessTokens } from '../identity-providers/index.ts'
import type { Now } from '../kit/index.ts'
import type { Product, ProductDirectory, Scope } from '../products/index.ts'
import type { Admission } from '../rate-limits/index.ts'
import { isDatabaseAway, type Storage } from '../storage/index.ts'
import { accessStore } from '../subscriptions/index.ts'
import { identityStore, userStore } from '../users/index.ts'
import { INTERNAL_CLIENT, sessionAudience } from './audience.ts'
import type { Checks } from './check/check.ts'
import { exchangeAccessToken } from './check/exchange.ts'
import type { LiveSessions } from './check/live-sessions.ts'
import type { OpenedApps } from './check/opened-apps.ts'
import { protectedResourceRoutes, refuseToken } from './protected-resource-routes.ts'
import { checkSchema, exchangeSchema, jwksSchema, meSchema } from './schemas.ts'
import type { LiveSession } from './session.ts'
import type { KeyRing } from './signing-keys/key-ring.ts'
import { sessionStore } from './store.ts'
import type { Tokens } from './tokens.ts'

export interface SessionRouteDeps {
  admission: Admission
  checks: Checks
  sessions: LiveSessions
  tokens: Tokens
  keys: KeyRing
  products: ProductDirectory
  storage: Storage
  changes: ChangeFeed
  responses: Responses
  headers: SecurityHeaders
  metrics: Metrics
  issuer: string
  accessTokenSeconds: number
  accessTokens: AccessTokens
  onFault: (error: unknown) => void
  openedApps: OpenedApps
  now: Now
}

const MISSING = asciiJson({ authenticated: false, reason: 'missing_session' })
/** When the database was just found away, a session that is not in memory is still looked up, with this timeout. */
const AWAY_TIMEOUT_MS = 1_500

const INVALID = asciiJson({ authenticated: false, reason: 'invalid_session' })

/** `checkScope` is a server scope without hooks, since the check runs thousands of times a second; the other routes go into `scope`. */
export function sessionRoutes(checkScope: FastifyInstance, scope: FastifyInstance, deps: SessionRouteDeps): void {
  checkRoute(checkScope, deps)
  scope.post('/auth/token', { schema: exchangeSchema }, (request, reply) => exchange(request, reply, deps))
  scope.get('/api/me', { schema: meSchema }, (request, reply) => me(request, reply, deps))
  protectedResourceRoutes(scope, deps)
  scope.get('/.well-known/jwks.json', { schema: jwksSchema }, async (_request, reply) =>
    reply
      .headers(deps.headers.json)
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(JSON.stringify(deps.keys.jwks())),
  )
}

/** `GET /auth/check`: always 200, never a redirect, no limit, and no database in the steady state. */
function checkRoute(scope: FastifyInstance, deps: SessionRouteDeps): void {
  const { checks, headers, metrics, admission } = deps
  const answer = createPrebuiltResponses(headers.json)
  const degraded = (why: 'database' | 'load') => createPrebuiltResponses({ ...headers.json, 'portaria-degraded': why, 'retry-after': '1' })
  const answerDegraded = { unknown: degraded('database'), shed: degraded('load') }
  const counts = { valid: 0, missing: 0, invalid: 0, unknown: 0, shed: 0 }
  metrics.countResults('portaria_checks_total', 'Session checks, by result', () => counts)
  scope.get('/auth/check', { schema: checkSchema }, (request, reply) => {
    const { cookie, authorization } = request.raw.headers
    const ready = authorization === undefined ? checks.remembered(cookie) : undefined
    if (ready !== undefined) {
      counts.valid++
      return answer(reply, ready)
    }
    const presented = readCookies(cookie, 'eg_session').filter((value) => value !== '')
    if (presented.length === 0) {
      counts.missing++
      return answer(reply, MISSING)
    }
    const find = () => findChecked(request, presented, deps)
    const admitted = () => admission.run('checks', find)
    return (checks.hearOfKeys(presented)?.then(admitted) ?? admitted()).then((session) => {
      if (session === 'unknown' || session === 'shed') counts[session]++
      else if (session) counts.valid++
      else counts.invalid++
      if (session === 'unknown' || session === 'shed') answerDegraded[session](reply, INVALID)
      else answer(reply, session ? checks.body(session) : INVALID)
    })
  })
}

/**
 * The session behind a check. With a key only that product's sessions count. While the database is away only remembered sessions are known;
 * the contract words all others like ended ones, and a header distinguishes the two.
 */
async function findChecked(
  request: FastifyRequest,
  presented: string[],
  deps: SessionRouteDeps,
): Promise<LiveSession | undefined | 'unknown'> {
  const { checks, products, changes, issuer, openedApps } = deps
  const find = async () => {
    const caller = await callerOf(request, products)
    if (caller === 'unknown') return undefined
    const session = await checks.find(presented, sessionAudience(caller, issuer))
    if (session && caller?.audience === 'internal') openedApps.note(session, caller.id)
    return session
  }
  try {
    if ((await changes.refresh()) === 'current') return await find()
    const giveUp = setTimeout(AWAY_TIMEOUT_MS, undefined, { ref: false })
    return (await Promise.race([find(), giveUp])) ?? 'unknown'
  } catch (error) {
    if (isDatabaseAway(error)) return 'unknown'
    throw error
  }
}

/** The product whose key a request carries: none without the header, `unknown` for an invalid key. */
async function callerOf(request: FastifyRequest, products: ProductDirectory): Promise<Product | undefined | 'unknown'> {
  if (request.headers.authorization === undefined) return undefined
  return (await products.findByApiKey(bearerToken(request))) ?? 'unknown'
}

const exchangeInput = z.object({
  grant_type: z.string(),
  subject_token: z.string().min(1),
  subject_token_type: z.literal('urn:portaria:token-type:session'),
})
const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'

/** `POST /auth/token`: RFC 8693, with the error codes of RFC 6749 §5.2. */
async function exchange(request: FastifyRequest, reply: FastifyReply, deps: SessionRouteDeps): Promise<FastifyReply> {
  const { responses, products } = deps
  const refuse = (status: number, error: string) => responses.json(reply, status, { error })
  const caller = await callerOf(request, products)
  if (caller === 'unknown') return refuse(401, 'invalid_client')
  const form = formBody(request)
  if (form && [...new Set(form.keys())].length !== [...form.keys()].length) return refuse(400, 'invalid_request')
  const input = exchangeInput.safeParse(form ? Object.fromEntries(form) : jsonObject(request))
  if (!input.success) return refuse(400, 'invalid_request')
  if (input.data.grant_type !== GRANT) return refuse(400, 'unsupported_grant_type')
  const token = await exchangeAccessToken(input.data.subject_token, caller, { ...deps, lifeSeconds: deps.accessTokenSeconds })
  if (!token) return refuse(400, 'invalid_grant')
  return responses.json(reply, 200, {
    access_token: token.accessToken,
    issued_token_type: ACCESS_TOKEN_TYPE,
    token_type: 'Bearer',
    expires_in: token.expiresInSeconds,
    scope: token.scope,
  })
}

/** `GET /api/me`: the profile of the user of an access token. */
async function me(request: FastifyRequest, reply: FastifyReply, deps: SessionRouteDeps): Promise<FastifyReply> {
  const { tokens, sessions, storage, responses, issuer } = deps
  const token = bearerToken(request)
  if (token === undefined) return refuseToken(reply, 'missing', deps)
  const claims = await tokens.verify(token, { type: 'at+jwt', audience: `${issuer}/api` })
  if (!claims) return meByProvider(reply, token, deps)
  const session = await sessions.find(claims.sid)
  if (session && session.userId === claims.sub) {
    const mayRead = await readableBy(claims.clientId, session, deps.products)
    if (!mayRead) return refuseToken(reply, 'invalid', deps)
    return responses.json(reply, 200, profileOf(session, claims.scope?.split(' ') ?? [], mayRead))
  }
  // The sessions of a deleted user went with them. Only in this case is it the user that is missing.
  const isGone = !(await sessionStore(storage.db).exists(claims.sid)) && !(await userStore(storage.db).findById(claims.sub))
  return isGone ? responses.json(reply, 404, { error: 'Usuario nao encontrado' }) : refuseToken(reply, 'invalid', deps)
}

/**
 * What the client of a token may read at this moment; `undefined` where it may have no token any more. A token of our own exchange names a
 * product's id or nobody, every other one a client of OpenID Connect: its product may have lost a scope since, been turned off, become
 * another kind of app, or take no more clients that describe themselves.
 */
async function readableBy(
  clientId: string | undefined,
  session: LiveSession,
  products: ProductDirectory,
): Promise<((scope: Scope) => boolean) | undefined> {
  if (clientId === undefined || clientId === (session.productId ?? INTERNAL_CLIENT)) return () => true
  const clients = [...(await products.openIdClients()).values()]
  const product = clients.find((client) => client.product.id === session.productId)?.product
  if (!product || session.openIdSince !== product.openid.since) return undefined
  return (scope) => product.scopes.includes(scope)
}

/** The claims that the token's scopes give, of those that its client may read; a token of our own exchange has `profile` and `email`. */
function profileOf({ userId, claims }: LiveSession, scopes: readonly string[], mayRead: (scope: Scope) => boolean) {
  const showsProfile = scopes.includes('profile') && mayRead('read:profile')
  return {
    id: userId,
    email: scopes.includes('email') && mayRead('read:email') ? (claims.email ?? null) : null,
    name: showsProfile ? claims.name : null,
    avatar_url: showsProfile ? (claims.avatarUrl ?? null) : null,
    plan: scopes.includes('profile') || scopes.includes('portaria') ? (claims.planSlug ?? null) : null,
  }
}

/** With an access token of a provider marked for this: issuer and subject map to a user or to nobody. */
async function meByProvider(reply: FastifyReply, token: string, deps: SessionRouteDeps): Promise<FastifyReply> {
  const { accessTokens, storage, responses, onFault, now } = deps
  const bearer = await accessTokens.verify(token)
  if (!bearer) return refuseToken(reply, 'invalid', deps)
  if ('fault' in bearer) {
    onFault(bearer.fault)
    reply.header('retry-after', '5')
    return responses.json(reply, 503, { error: 'Servico indisponivel, tente novamente' })
  }
  const userId = await identityStore(storage.db).findUserId(bearer.issuer, bearer.subject)
  const user = userId === undefined ? undefined : await userStore(storage.db).findById(userId)
  if (!user) return responses.json(reply, 404, { error: 'Usuario nao encontrado' })
  if (user.disabledAt !== undefined) return refuseToken(reply, 'invalid', deps)
  const { id, email, name, avatarUrl } = user
  const plan = await accessStore(storage.db).findLivePlan(id, undefined, now())
  return responses.json(reply, 200, { id, email, name, avatar_url: avatarUrl ?? null, plan: plan?.slug ?? null })
}

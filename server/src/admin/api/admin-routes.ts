import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { bearerToken, clientAddress, jsonObject, originOf, queryOf, type Responses } from '../../http/index.ts'
import { MINUTE_MS } from '../../kit/index.ts'
import type { AdminAnswer, AdminApiDeps, AdminRoute } from './admin-route.ts'
import { type Caller, findCaller, isStale, type Presented } from './caller.ts'
import { mask } from './mask.ts'
import type { AdminScope } from './permissions.ts'
import { refuseBeyond } from './rate-limits.ts'
import { type Refused, refusals } from './refusals.ts'
import { describeRoute } from './route-schema.ts'
import { tableStream } from './table/table-stream.ts'

/** For an operation without query or body: any content is the caller's mistake. */
export const nothing = z.strictObject({})

/** A console makes a handful of calls for a page; a faster script may wait. */
const MAX_CALLS = 600

/** Mounts one operation. */
export function adminRoute<Query extends z.ZodObject, Body extends z.ZodObject>(
  scope: FastifyInstance,
  deps: AdminApiDeps,
  route: AdminRoute<Query, Body>,
): void {
  scope.route({
    method: route.method,
    url: `/api/admin${route.path}`,
    config: { describe: () => describeRoute(route) },
    ...(route.bodyLimitBytes !== undefined && { bodyLimit: route.bodyLimitBytes }),
    handler: async (request, reply) => answer(reply, await call(request, route, deps), route.answer.status ?? 200, deps),
  })
}

async function call<Query extends z.ZodObject, Body extends z.ZodObject>(
  request: FastifyRequest,
  route: AdminRoute<Query, Body>,
  deps: AdminApiDeps,
): Promise<AdminAnswer> {
  const presented = readPresented(request, deps)
  const caller = await findCaller(presented, route.may, deps)
  if ('refusal' in caller) return caller
  const tooMany = await refuseBeyond([{ key: `admin:${caller.name}`, most: MAX_CALLS, windowMs: MINUTE_MS }], deps)
  if (tooMany) return tooMany
  const params = readParams(request)
  if (Object.values(params).some(isUnstorable)) return { refusal: 'not_found' }
  const query = readQuery(request, route.query)
  if ('refusal' in query) return query
  const body = readBody(request, route.body)
  if ('refusal' in body) return body
  const seen = readVersion(request)
  if (route.version === 'required' && seen === undefined) return { refusal: 'version_missing' }
  const wrong = route.check?.(body.value)
  if (wrong) return wrong
  if (route.authentication === 'recent' && isStale(caller)) return { refusal: 'authentication_too_old' }
  const ip = clientAddress(request)
  const actor = { name: caller.name, ip, reason: reasonOf(body.value) }
  const answered = await route.work({
    id: params.id ?? '',
    params,
    query: query.value,
    body: body.value,
    caller,
    stillMay: () => isSame(presented, route.may, { caller, deps }),
    actor,
    seen,
    ip,
    userAgent: request.headers['user-agent'] ?? '',
    boundSecret: deps.cookies.readBound(request.headers.cookie),
    listeningUrl: () => listeningUrl(request),
  })
  return caller.role === 'viewer' ? asViewed(answered, route) : answered
}

async function isSame(
  presented: Presented,
  scope: AdminScope | undefined,
  { caller, deps }: { caller: Caller; deps: AdminApiDeps },
): Promise<boolean> {
  const now = await findCaller(presented, scope, deps)
  return !('refusal' in now) && now.name === caller.name && now.role === caller.role
}

function readPresented(request: FastifyRequest, { baseUrl }: Pick<AdminApiDeps, 'baseUrl'>): Presented {
  const { authorization, cookie } = request.headers
  const origin = originOf(request, baseUrl)
  return { authorization, cookie, bearer: bearerToken(request), origin, expectedUser: readExpectedUser(request) }
}

/** A caller's own data (no scope) is not masked. A viewer gets no version: they change nothing, and it is made of hidden data. */
function asViewed(
  answered: AdminAnswer,
  { may, personal = [] }: Pick<AdminRoute<z.ZodObject, z.ZodObject>, 'may' | 'personal'>,
): AdminAnswer {
  if ('table' in answered) return { table: { ...answered.table, shown: (row) => mask(row, personal) } }
  return 'body' in answered ? { body: may === undefined ? answered.body : mask(answered.body, personal) } : answered
}

function answer(reply: FastifyReply, answered: AdminAnswer, status: 200 | 201, { responses }: AdminApiDeps): FastifyReply {
  if ('refusal' in answered) return refuse(reply, answered, responses)
  if ('file' in answered) return responses.file(reply, answered.file.name, answered.file.body)
  if ('table' in answered) return responses.csv(reply, answered.table.name, tableStream(answered.table))
  if ('preview' in answered) return responses.preview(reply, answered.preview)
  if (answered.version !== undefined) reply.header('etag', `"${answered.version}"`)
  for (const cookie of answered.cookies ?? []) reply.header('set-cookie', cookie)
  return responses.json(reply, status, answered.body)
}

function refuse(reply: FastifyReply, { refusal, fields, reason, retryAfterSeconds }: Refused, responses: Responses): FastifyReply {
  const { status, error } = refusals[refusal]
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return responses.json(reply, status, { error, ...(fields && { fields }), ...(reason !== undefined && { reason }) })
}

type Read<T> = { value: T } | Refused

/** A parameter given twice is refused like an unknown one: choosing one of the two would be a guess. */
function readQuery<Query extends z.ZodObject>(request: FastifyRequest, schema: Query): Read<z.output<Query>> {
  const given = [...queryOf(request)]
  const repeated = given.find(([name], at) => given.findIndex(([other]) => other === name) !== at)?.[0]
  if (repeated !== undefined) return { refusal: 'malformed', fields: { [repeated]: 'repeated' } }
  return parse(schema, Object.fromEntries(given))
}

function readBody<Body extends z.ZodObject>(request: FastifyRequest, schema: Body): Read<z.output<Body>> {
  const isEmpty = request.body === undefined || request.body === '' || request.body === null
  const given = isEmpty ? {} : jsonObject(request)
  return given ? parse(schema, given) : { refusal: 'malformed' }
}

function parse<Schema extends z.ZodObject>(schema: Schema, given: Record<string, unknown>): Read<z.output<Schema>> {
  const unstorable = Object.entries(given).find(([, value]) => holdsUnstorable(value))
  if (unstorable) return { refusal: 'malformed', fields: { [unstorable[0]]: 'unstorable' } }
  const parsed = schema.safeParse(given)
  return parsed.success ? { value: parsed.data } : { refusal: 'malformed', fields: fieldsOf(parsed.error) }
}

/** One word for each field, its first error; the words are zod's, as `too_small`. */
function fieldsOf({ issues }: z.ZodError): Record<string, string> {
  const codes = issues.flatMap(
    (issue): Array<[string, string]> =>
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [key, 'unknown']) : [[issue.path.join('.'), issue.code]],
  )
  return Object.fromEntries(codes.reverse())
}

function readVersion(request: FastifyRequest): string | undefined {
  return /^"([\w-]{1,64})"$/.exec(request.headers['if-match'] ?? '')?.[1]
}

/** Of `Portaria-User`. Given twice it counts as unreadable. */
function readExpectedUser({ headers }: FastifyRequest): string | undefined {
  return headers['portaria-user']?.toString()
}

function readParams({ params }: FastifyRequest): Record<string, string> {
  return typeof params === 'object' && params !== null
    ? Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : {}
}

function reasonOf(body: Record<string, unknown>): string | undefined {
  return typeof body.reason === 'string' ? body.reason : undefined
}

function listeningUrl({ server }: FastifyRequest): string | undefined {
  const listening = server.server.address()
  if (listening === null || typeof listening === 'string') return undefined
  const { address, family, port } = listening
  if (family === 'IPv6') return `http://[${address === '::' ? '::1' : address}]:${port}`
  return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`
}

/** No field of ours is nested as deep; deeper input could overflow a recursive reader. */
const DEEPEST = 20

function holdsUnstorable(value: unknown, left = DEEPEST): boolean {
  if (typeof value === 'string') return isUnstorable(value)
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.entries(value).some(([key, inner]) => isUnstorable(key) || holdsUnstorable(inner, left - 1))
}

/** PostgreSQL's text can't hold a NUL, nor UTF-8 half of a surrogate pair: a text with either can neither be found nor stored. */
function isUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

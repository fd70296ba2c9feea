import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, type Responses } from '../../http/index.ts'
import { MINUTE_MS } from '../../kit/index.ts'
import { type AdminAnswer, type AdminApiDeps, type AnyRoute, nothing } from './admin-route.ts'
import { findCaller, isStale } from './caller.ts'
import { mask } from './mask.ts'
import { refuseBeyond } from './rate-limits.ts'
import { type Refused, refusals } from './refusals.ts'
import { isSame, readPresented } from './request/caller-guards.ts'
import { listeningUrl } from './request/listening-url.ts'
import { readBody, readParams, readQuery, readVersion, reasonIn } from './request/request-guards.ts'
import { isUnstorable } from './request/unstorable.ts'
import { tableStream } from './table/table-stream.ts'

/** A console makes a handful of calls for a page; a faster script may wait. */
const MAX_CALLS = 600

/** Answers one call of an operation. */
export async function answerCall(
  request: FastifyRequest,
  reply: FastifyReply,
  { route, deps }: { route: AnyRoute; deps: AdminApiDeps },
): Promise<FastifyReply> {
  return answer(reply, await call(request, route, deps), route.answer.status ?? 200, deps)
}

/** The refusal of somebody who may do nothing here, whatever they ask for; `undefined` for an administrator and for a script's token. */
export async function findRefusal(request: FastifyRequest, deps: AdminApiDeps): Promise<Refused | undefined> {
  const caller = await findCaller(readPresented(request, deps), undefined, deps)
  return 'refusal' in caller ? caller : undefined
}

async function call(request: FastifyRequest, route: AnyRoute, deps: AdminApiDeps): Promise<AdminAnswer> {
  const presented = readPresented(request, deps)
  const caller = await findCaller(presented, route.may, deps)
  if ('refusal' in caller) return caller
  const tooMany = await refuseBeyond([{ key: `admin:${caller.name}`, most: MAX_CALLS, windowMs: MINUTE_MS }], deps)
  if (tooMany) return tooMany
  const params = readParams(request)
  if (Object.values(params).some(isUnstorable)) return { refusal: 'not_found' }
  const query = readQuery(request, route.query ?? nothing)
  if ('refusal' in query) return query
  const body = readBody(request, route.body ?? nothing)
  if ('refusal' in body) return body
  const seen = readVersion(request)
  if (route.version === 'required' && seen === undefined) return { refusal: 'version_missing' }
  const wrong = route.check?.(body.value)
  if (wrong) return wrong
  if (route.authentication === 'recent' && isStale(caller)) return { refusal: 'authentication_too_old' }
  const ip = clientAddress(request)
  const actor = { name: caller.name, ip, reason: reasonIn(body.value) }
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
    listeningUrl: () => listeningUrl(request.server.server.address()),
  })
  return caller.role === 'viewer' ? asViewed(answered, route) : answered
}

/** A caller's own data (no scope) is not masked. A viewer gets no version: they change nothing, and it is made of hidden data. */
function asViewed(answered: AdminAnswer, { may, personal = [] }: Pick<AnyRoute, 'may' | 'personal'>): AdminAnswer {
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

/** Answers a refusal. */
export function refuse(reply: FastifyReply, { refusal, fields, reason, retryAfterSeconds }: Refused, responses: Responses): FastifyReply {
  const { status, error } = refusals[refusal]
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return responses.json(reply, status, { error, ...(fields && { fields }), ...(reason !== undefined && { reason }) })
}

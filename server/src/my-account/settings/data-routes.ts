import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/index.ts'
import { clientAddress } from '../../http/index.ts'
import { HOUR_MS } from '../../kit/index.ts'
import { readPersonalData } from '../../personal-data/index.ts'
import type { SignedInUser } from '../../sign-in/index.ts'
import type { SettingsDeps } from './settings-deps.ts'
import { dataPage } from './settings-page.ts'

export const DATA = '/account/data'
/** Downloads of an account in an hour: each reads all data of a user. */
const MAX_EXPORTS = 10

export async function showData(
  request: FastifyRequest,
  reply: FastifyReply,
  _owner: SignedInUser,
  { responses }: SettingsDeps,
): Promise<FastifyReply> {
  return responses.page(reply, 200, dataPage(responses.pageContext(request, reply, DATA)))
}

export async function download(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: SettingsDeps,
): Promise<FastifyReply> {
  const { limits, storage, responses, now } = deps
  const { within, retryAfterSeconds } = await limits.count({ key: `export:${user.id}`, most: MAX_EXPORTS, windowMs: HOUR_MS }, now())
  if (!within) {
    reply.header('retry-after', String(retryAfterSeconds))
    return responses.refuse(request, reply, 429, 'muitas tentativas')
  }
  const entry = { actor: `user:${user.id}`, action: 'user.export', target: user.id, ip: clientAddress(request) }
  await recordAudit(storage.db, entry, now())
  const data = await readPersonalData(user, deps)
  const day = new Date(now()).toISOString().slice(0, 10)
  return responses.file(reply, `portaria-${day}.json`, data)
}

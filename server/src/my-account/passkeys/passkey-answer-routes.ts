import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import { queryOf } from '../../http/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import { answerForm, deviceLabel, type GuardDeps, type SignedInUser } from '../../sign-in/index.ts'
import { passkeyStore, type User } from '../../users/index.ts'
import { type PasskeyProblem, passkeyPage, passkeysPage } from './passkeys-page.ts'

export interface PasskeysDeps extends GuardDeps {
  changes: ChangeFeed
  codeKey: Uint8Array
  outbox: Pick<Outbox, 'wake'>
}

export const PASSKEYS = '/account/passkeys'

export async function showPasskeys(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: PasskeysDeps,
): Promise<FastifyReply> {
  return answerPasskeys(request, reply, user, {}, deps)
}

export async function showPasskey(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: PasskeysDeps,
): Promise<FastifyReply> {
  const passkey = await passkeyStore(deps.storage.db).find(idIn(queryOf(request)))
  if (passkey?.userId !== user.id) return answerPasskeys(request, reply, user, { problem: 'gone' }, deps)
  return deps.responses.page(reply, 200, passkeyPage(deps.responses.pageContext(request, reply), passkey))
}

/** PostgreSQL stores no NUL in a text, and no id has one. */
export function idIn(values: URLSearchParams | undefined): string {
  return (values?.get('id') ?? '').replaceAll('\0', '')
}

type Said = { done?: 'added' | 'renamed' | 'removed'; problem?: PasskeyProblem }

const statuses = {
  not_accepted: 400,
  too_many: 400,
  known: 400,
  last_sign_in_method: 400,
  gone: 404,
  too_many_attempts: 429,
} as const satisfies Record<PasskeyProblem, number>

export async function answerPasskeys(
  request: FastifyRequest,
  reply: FastifyReply,
  { id }: User,
  said: Said,
  deps: PasskeysDeps,
): Promise<FastifyReply> {
  const passkeys = await passkeyStore(deps.storage.db).listOfUser(id)
  const page = passkeysPage(deps.responses.pageContext(request, reply, PASSKEYS), {
    passkeys,
    suggestion: await suggestName(request),
    ...said,
  })
  const status = said.problem === undefined ? 200 : statuses[said.problem]
  return answerForm(request, reply, { status, page, problem: said.problem }, deps)
}

export async function suggestName(request: FastifyRequest): Promise<string> {
  return (await deviceLabel(request.headers['user-agent'] ?? '')) || 'Passkey'
}

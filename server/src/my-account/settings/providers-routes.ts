import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody } from '../../http/index.ts'
import { providerStore } from '../../identity-providers/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endProviderSessions } from '../../sessions/index.ts'
import { answerForm, deviceLabel, holdSignedInUser, type SignedInUser } from '../../sign-in/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { identityStore, mailLanguage, mintReportUrl, queueMail, type User, unlinkIdentity } from '../../users/index.ts'
import type { SettingsDeps } from './settings-deps.ts'
import { providersPage } from './settings-page.ts'

export const PROVIDERS = '/account/providers'

export async function showProviders(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: SettingsDeps,
): Promise<FastifyReply> {
  return answerProviders(request, reply, user, {}, deps)
}

async function answerProviders(
  request: FastifyRequest,
  reply: FastifyReply,
  { id }: User,
  { problem }: { problem?: 'last_sign_in_method' },
  { storage, responses }: SettingsDeps,
): Promise<FastifyReply> {
  const known = await providerStore(storage.db).list()
  const linked = await identityStore(storage.db).listOfUser(id)
  const providers = linked.map((one) => ({ ...one, name: nameOf(one, known) }))
  const page = providersPage(responses.pageContext(request, reply, PROVIDERS), { providers, problem })
  return answerForm(request, reply, { status: problem === undefined ? 200 : 400, page, problem }, { responses })
}

export async function unlink(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: SettingsDeps): Promise<FastifyReply> {
  const { storage, changes, now, responses, outbox } = deps
  const { user, session } = owner
  const body = formBody(request)
  const identity = { issuer: textOf(body?.get('issuer')), subject: textOf(body?.get('subject')) }
  const ip = clientAddress(request)
  const device = await deviceLabel(request.headers['user-agent'] ?? '')
  const known = await providerStore(storage.db).list()
  const done = await changes.transaction(async (tx, announce) => {
    if (!(await holdSignedInUser(tx, owner, now))) return 'gone'
    const unlinked = await unlinkIdentity(tx, user.id, identity, { now, ip })
    if (unlinked !== 'unlinked') return unlinked
    await endProviderSessions(tx, { userId: user.id, keep: session.id }, 'ended_by_owner', { announce, now })
    await mailUnlinked(tx, user, { provider: nameOf(identity, known), device, ip }, deps)
    return unlinked
  })
  if (done === 'last_sign_in_method') return answerProviders(request, reply, user, { problem: done }, deps)
  outbox.wake()
  return responses.redirect(reply, ownHref(PROVIDERS))
}

async function mailUnlinked(
  tx: Transaction,
  user: User,
  where: { provider: string; device: string; ip: string },
  deps: SettingsDeps,
): Promise<void> {
  const at = deps.now()
  const data = { name: user.name, when: at, ...where, reportUrl: await mintReportUrl(tx, user, deps) }
  await queueMail(tx, { to: user.email, kind: 'identity_unlinked', data, language: mailLanguage(user) }, { sealer: deps.sealer, at })
}

/** A provider's name: the operator's, or its issuer once it is no longer connected. */
function nameOf({ issuer }: { issuer: string }, known: ReadonlyArray<{ issuer: string; name: string }>): string {
  return known.find((one) => one.issuer === issuer)?.name ?? issuer
}

/** PostgreSQL stores no NUL in a text. */
function textOf(value: string | null | undefined): string {
  return (value ?? '').replaceAll('\0', '')
}

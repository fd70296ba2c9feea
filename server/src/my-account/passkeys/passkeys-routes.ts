import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody } from '../../http/index.ts'
import { nameOf } from '../../pages/index.ts'
import { endPasskeySessions, sessionStore } from '../../sessions/index.ts'
import { askToSignIn, countPasskeyWork, createGuards, deviceLabel, holdSignedInUser, type SignedInUser } from '../../sign-in/index.ts'
import type { Transaction } from '../../storage/index.ts'
import {
  addPasskey,
  beginPasskey,
  mailLanguage,
  mintReportUrl,
  passkeyName,
  passkeyStore,
  queueMail,
  removePasskey,
  type User,
  verifyNewPasskey,
} from '../../users/index.ts'
import { answerPasskeys, idIn, PASSKEYS, type PasskeysDeps, showPasskey, showPasskeys, suggestName } from './passkey-answer-routes.ts'
import {
  addPasskeySchema,
  passkeyOptionsSchema,
  passkeySchema,
  passkeysSchema,
  removePasskeySchema,
  renamePasskeySchema,
} from './passkey-schemas.ts'

/** A user's own passkeys. Changes need a recent authentication. */
export function passkeysRoutes(scope: FastifyInstance, deps: PasskeysDeps): void {
  const { countChange, requireRecentAuth } = createGuards(deps)
  scope.get(PASSKEYS, { schema: passkeysSchema }, requireRecentAuth(showPasskeys))
  scope.get(`${PASSKEYS}/change`, { schema: passkeySchema }, requireRecentAuth(showPasskey))
  scope.post(`${PASSKEYS}/options`, { schema: passkeyOptionsSchema }, requireRecentAuth(begin))
  scope.post(PASSKEYS, { schema: addPasskeySchema }, requireRecentAuth(countChange(add)))
  scope.post(`${PASSKEYS}/rename`, { schema: renamePasskeySchema }, requireRecentAuth(rename))
  scope.post(`${PASSKEYS}/remove`, { schema: removePasskeySchema }, requireRecentAuth(countChange(remove)))
}

async function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, session }: SignedInUser,
  deps: PasskeysDeps,
): Promise<FastifyReply> {
  if (await countPasskeyWork(request, reply, 'add', deps)) return deps.responses.json(reply, 429, { error: 'muitas tentativas' })
  const name = nameOf(deps.responses.pageContext(request, reply))
  return deps.responses.json(reply, 200, await beginPasskey({ user, sessionId: session.id }, { ...deps, name }))
}

async function add(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: PasskeysDeps): Promise<FastifyReply> {
  const { user, session } = owner
  const { storage, now, outbox } = deps
  if (await countPasskeyWork(request, reply, 'add', deps))
    return answerPasskeys(request, reply, user, { problem: 'too_many_attempts' }, deps)
  const body = formBody(request)
  const passkey = await verifyNewPasskey(body?.get('credential') ?? '', { user, sessionId: session.id }, deps)
  if (!passkey) return answerPasskeys(request, reply, user, { problem: 'not_accepted' }, deps)
  const name = passkeyName(body?.get('name') ?? '', await suggestName(request))
  const ip = clientAddress(request)
  const where = { device: await deviceLabel(request.headers['user-agent'] ?? ''), ip }
  const result = await storage.transaction(async (tx) => {
    if (!(await holdSignedInUser(tx, owner, now))) return 'signed_out'
    const added = await addPasskey(tx, { user, passkey, name }, { now, ip })
    if (added !== 'added') return added
    // Requires a device that has just asked its user for a finger or a PIN: a new key opens the account at once.
    await sessionStore(tx).recordSecondFactor(session.id, now())
    await queueNotice(tx, 'passkey_added', user, where, deps)
    return added
  })
  if (result === 'signed_out') return askToSignIn(request, reply, deps)
  outbox.wake()
  return answerPasskeys(request, reply, user, result === 'added' ? { done: 'added' } : { problem: result }, deps)
}

/** The mail does not name the passkey: a thief who adds one chooses its name, and could put text into our warning. */
async function queueNotice(
  tx: Transaction,
  kind: 'passkey_added' | 'passkey_removed',
  user: User,
  where: { device: string; ip: string },
  deps: PasskeysDeps,
): Promise<void> {
  const { sealer, now } = deps
  const at = now()
  const data = { name: user.name, when: at, ...where, reportUrl: await mintReportUrl(tx, user, deps) }
  await queueMail(tx, { to: user.email, kind, data, language: mailLanguage(user) }, { sealer, at })
}

async function rename(request: FastifyRequest, reply: FastifyReply, { user }: SignedInUser, deps: PasskeysDeps): Promise<FastifyReply> {
  const body = formBody(request)
  const name = passkeyName(body?.get('name') ?? '', 'Passkey')
  const isRenamed = await passkeyStore(deps.storage.db).rename(idIn(body), user.id, name)
  return answerPasskeys(request, reply, user, isRenamed ? { done: 'renamed' } : { problem: 'gone' }, deps)
}

async function remove(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: PasskeysDeps): Promise<FastifyReply> {
  const { user, session } = owner
  const { changes, now, outbox } = deps
  const credentialId = idIn(formBody(request))
  const ip = clientAddress(request)
  const where = { device: await deviceLabel(request.headers['user-agent'] ?? ''), ip }
  const result = await changes.transaction(async (tx, announce) => {
    if (!(await holdSignedInUser(tx, owner, now))) return 'signed_out'
    const removed = await removePasskey(tx, user, credentialId, { now, ip })
    if (removed !== 'removed') return removed
    const begunWithIt = { userId: user.id, passkeyId: credentialId, keep: session.id }
    await endPasskeySessions(tx, begunWithIt, 'passkey_removed', { announce, now })
    await queueNotice(tx, 'passkey_removed', user, where, deps)
    return removed
  })
  if (result === 'signed_out') return askToSignIn(request, reply, deps)
  outbox.wake()
  return answerPasskeys(request, reply, user, result === 'removed' ? { done: 'removed' } : { problem: result }, deps)
}

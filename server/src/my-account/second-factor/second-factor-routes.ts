import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import { clientAddress, formBody } from '../../http/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import { nameOf, ownHref } from '../../pages/index.ts'
import { endOtherSessions, sessionStore } from '../../sessions/index.ts'
import {
  answerForm,
  askToSignIn,
  createGuards,
  deviceLabel,
  type GuardDeps,
  holdSignedInUser,
  type SignedInUser,
} from '../../sign-in/index.ts'
import type { DeviceCookies } from '../../users/index.ts'
import {
  beginTotp,
  confirmTotp,
  mailLanguage,
  mintReportUrl,
  queueMail,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../users/index.ts'
import { recoveryCodesPage, secondFactorSettingsPage } from './second-factor-page.ts'
import {
  beginSecondFactorSchema,
  confirmSecondFactorSchema,
  endSecondFactorSchema,
  recoveryCodesSchema,
  secondFactorSettingsSchema,
} from './second-factor-schemas.ts'

export interface SecondFactorSettingsDeps extends GuardDeps {
  changes: ChangeFeed
  codeKey: Uint8Array
  devices: DeviceCookies
  outbox: Pick<Outbox, 'wake'>
}

const PAGE = '/account/second-factor'

/** A user's own second factor. Changes need a recent authentication. */
export function secondFactorSettingsRoutes(scope: FastifyInstance, deps: SecondFactorSettingsDeps): void {
  const { countChange, requireRecentAuth } = createGuards(deps)
  scope.get(PAGE, { schema: secondFactorSettingsSchema }, requireRecentAuth(show))
  scope.post(`${PAGE}/begin`, { schema: beginSecondFactorSchema }, requireRecentAuth(begin))
  scope.post(PAGE, { schema: confirmSecondFactorSchema }, requireRecentAuth(countChange(confirm)))
  scope.post(`${PAGE}/recovery-codes`, { schema: recoveryCodesSchema }, requireRecentAuth(countChange(renew)))
  scope.post(`${PAGE}/off`, { schema: endSecondFactorSchema }, requireRecentAuth(countChange(turnOff)))
}

function show(request: FastifyRequest, reply: FastifyReply, { user }: SignedInUser, deps: SecondFactorSettingsDeps): Promise<FastifyReply> {
  return answerState(request, reply, user, {}, deps)
}

type Said = { problem?: 'wrong_code'; done?: 'off' }

async function answerState(
  request: FastifyRequest,
  reply: FastifyReply,
  user: SignedInUser['user'],
  said: Said,
  deps: SecondFactorSettingsDeps,
): Promise<FastifyReply> {
  const context = deps.responses.pageContext(request, reply, PAGE)
  // The authenticator app shows the name beside the address.
  const state = await readSecondFactor(deps.storage.db, user, { ...deps, issuer: nameOf(context) })
  const page = secondFactorSettingsPage(context, { ...state, ...said })
  return answerForm(request, reply, { status: said.problem ? 400 : 200, page, problem: said.problem }, deps)
}

async function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  deps: SecondFactorSettingsDeps,
): Promise<FastifyReply> {
  const isBegun = await deps.storage.transaction(async (tx) => {
    if (!(await holdSignedInUser(tx, owner, deps.now))) return false
    await beginTotp(tx, owner.user, deps)
    return true
  })
  return isBegun ? deps.responses.redirect(reply, ownHref(PAGE)) : askToSignIn(request, reply, deps)
}

async function confirm(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  deps: SecondFactorSettingsDeps,
): Promise<FastifyReply> {
  const { user } = owner
  const notice = await noticeOf('second_factor_on', request, owner, deps)
  const code = formBody(request)?.get('code') ?? ''
  const confirmed = await deps.changes.transaction(async (tx, announce) => {
    if (!(await holdSignedInUser(tx, owner, deps.now))) return 'signed_out'
    const result = await confirmTotp(tx, user, code, { ...deps, now: notice.now, ip: notice.ip })
    if (result === 'wrong_code') return result
    await sessionStore(tx).recordSecondFactor(owner.session.id, notice.now())
    // Every other session began without the factor.
    await endOtherSessions(tx, { userId: user.id, keep: owner.session.id }, 'second_factor_on', { announce, now: notice.now })
    await notice.queue(tx)
    return result
  })
  if (confirmed === 'signed_out') return askToSignIn(request, reply, deps)
  if (confirmed === 'wrong_code') return answerState(request, reply, user, { problem: 'wrong_code' }, deps)
  // A device cookie from before the factor does not stand for a second factor, so the browser gets a new one.
  reply.header('set-cookie', deps.cookies.device(deps.devices.mint(user.id, deps.now())))
  deps.outbox.wake()
  return answerCodes(request, reply, { codes: confirmed.recoveryCodes, why: 'on' }, deps)
}

function answerCodes(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Parameters<typeof recoveryCodesPage>[1],
  { responses }: SecondFactorSettingsDeps,
): FastifyReply {
  return responses.page(reply, 200, recoveryCodesPage(responses.pageContext(request, reply, PAGE), shown))
}

async function renew(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  deps: SecondFactorSettingsDeps,
): Promise<FastifyReply> {
  const notice = await noticeOf('recovery_codes_renewed', request, owner, deps)
  const codes = await deps.storage.transaction(async (tx) => {
    if (!(await holdSignedInUser(tx, owner, deps.now))) return 'signed_out'
    const renewed = await renewRecoveryCodes(tx, owner.user, { now: notice.now, ip: notice.ip })
    if (renewed !== 'off') await notice.queue(tx)
    return renewed
  })
  if (codes === 'signed_out') return askToSignIn(request, reply, deps)
  if (codes === 'off') return deps.responses.redirect(reply, ownHref(PAGE))
  deps.outbox.wake()
  return answerCodes(request, reply, { codes, why: 'renewed' }, deps)
}

async function turnOff(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  deps: SecondFactorSettingsDeps,
): Promise<FastifyReply> {
  const { id } = owner.user
  const notice = await noticeOf('second_factor_off', request, owner, deps)
  const off = await deps.storage.transaction(async (tx) => {
    if (!(await holdSignedInUser(tx, owner, deps.now))) return 'signed_out'
    if (!(await removeSecondFactor(tx, id, { actor: `user:${id}`, ip: notice.ip, now: notice.now }))) return 'was_off'
    await notice.queue(tx)
    return 'off'
  })
  if (off === 'signed_out') return askToSignIn(request, reply, deps)
  if (off === 'was_off') return deps.responses.redirect(reply, ownHref(PAGE))
  deps.outbox.wake()
  return answerState(request, reply, owner.user, { done: 'off' }, deps)
}

/**
 * The mail that notifies the owner of a change, prepared before its transaction. The change and the mail's "this wasn't me" have the same
 * time: the link also undoes a factor that was turned on no earlier than it.
 */
async function noticeOf(
  kind: 'second_factor_on' | 'second_factor_off' | 'recovery_codes_renewed',
  request: FastifyRequest,
  { user }: SignedInUser,
  deps: SecondFactorSettingsDeps,
) {
  const at = deps.now()
  const now = () => at
  const ip = clientAddress(request)
  const where = { name: user.name, when: at, device: await deviceLabel(request.headers['user-agent'] ?? ''), ip }
  const queue = async (tx: Parameters<typeof queueMail>[0]): Promise<void> => {
    const data = { ...where, reportUrl: await mintReportUrl(tx, user, { ...deps, now }) }
    await queueMail(tx, { to: user.email, kind, data, language: mailLanguage(user) }, { sealer: deps.sealer, at })
  }
  return { ip, now, queue }
}

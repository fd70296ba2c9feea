import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formBody } from '../../http/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endOtherSessions, sessionStore } from '../../sessions/index.ts'
import { askToSignIn, createGuards, holdSignedInUser, type SignedInUser } from '../../sign-in/index.ts'
import { beginTotp, confirmTotp, removeSecondFactor, renewRecoveryCodes } from '../../users/index.ts'
import { answerCodes, answerState, noticeOf, SECOND_FACTOR, type SecondFactorSettingsDeps } from './second-factor-answer-routes.ts'
import {
  beginSecondFactorSchema,
  confirmSecondFactorSchema,
  endSecondFactorSchema,
  recoveryCodesSchema,
  secondFactorSettingsSchema,
} from './second-factor-schemas.ts'

/** A user's own second factor. Changes need a recent authentication. */
export function secondFactorSettingsRoutes(scope: FastifyInstance, deps: SecondFactorSettingsDeps): void {
  const { countChange, requireRecentAuth } = createGuards(deps)
  scope.get(SECOND_FACTOR, { schema: secondFactorSettingsSchema }, requireRecentAuth(show))
  scope.post(`${SECOND_FACTOR}/begin`, { schema: beginSecondFactorSchema }, requireRecentAuth(begin))
  scope.post(SECOND_FACTOR, { schema: confirmSecondFactorSchema }, requireRecentAuth(countChange(confirm)))
  scope.post(`${SECOND_FACTOR}/recovery-codes`, { schema: recoveryCodesSchema }, requireRecentAuth(countChange(renew)))
  scope.post(`${SECOND_FACTOR}/off`, { schema: endSecondFactorSchema }, requireRecentAuth(countChange(turnOff)))
}

function show(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: SecondFactorSettingsDeps): Promise<FastifyReply> {
  return answerState(request, reply, owner, {}, deps)
}

const settingUp = ({ user, session }: SignedInUser) => ({ userId: user.id, sessionId: session.id })

async function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  deps: SecondFactorSettingsDeps,
): Promise<FastifyReply> {
  const isBegun = await deps.storage.transaction(async (tx) => {
    if (!(await holdSignedInUser(tx, owner, deps.now))) return false
    await beginTotp(tx, settingUp(owner), deps)
    return true
  })
  return isBegun ? deps.responses.redirect(reply, ownHref(SECOND_FACTOR)) : askToSignIn(request, reply, deps)
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
    const result = await confirmTotp(tx, settingUp(owner), code, { ...deps, now: notice.now, ip: notice.ip })
    if (result === 'wrong_code') return result
    await sessionStore(tx).recordSecondFactor(owner.session.id, notice.now())
    // Every other session began without the factor.
    await endOtherSessions(tx, { userId: user.id, keep: owner.session.id }, 'second_factor_on', { announce, now: notice.now })
    await notice.queue(tx)
    return result
  })
  if (confirmed === 'signed_out') return askToSignIn(request, reply, deps)
  if (confirmed === 'wrong_code') return answerState(request, reply, owner, { problem: 'wrong_code' }, deps)
  // A device cookie from before the factor does not stand for a second factor, so the browser gets a new one.
  reply.header('set-cookie', deps.cookies.device(deps.devices.mint(user.id, deps.now())))
  deps.outbox.wake()
  return answerCodes(request, reply, { codes: confirmed.recoveryCodes, why: 'on' }, deps)
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
  if (codes === 'off') return deps.responses.redirect(reply, ownHref(SECOND_FACTOR))
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
  if (off === 'was_off') return deps.responses.redirect(reply, ownHref(SECOND_FACTOR))
  deps.outbox.wake()
  return answerState(request, reply, owner, { done: 'off' }, deps)
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import { clientAddress } from '../../http/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import { nameOf } from '../../pages/index.ts'
import { answerForm, deviceLabel, type GuardDeps, type SignedInUser } from '../../sign-in/index.ts'
import { type DeviceCookies, mailLanguage, mintReportUrl, queueMail, readSecondFactor } from '../../users/index.ts'
import { recoveryCodesPage, secondFactorSettingsPage } from './second-factor-page.ts'

export interface SecondFactorSettingsDeps extends GuardDeps {
  changes: ChangeFeed
  codeKey: Uint8Array
  devices: DeviceCookies
  outbox: Pick<Outbox, 'wake'>
}

export const SECOND_FACTOR = '/account/second-factor'

type Said = { problem?: 'wrong_code'; done?: 'off' }

export async function answerState(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, session }: SignedInUser,
  said: Said,
  deps: SecondFactorSettingsDeps,
): Promise<FastifyReply> {
  const context = deps.responses.pageContext(request, reply, SECOND_FACTOR)
  // The authenticator app shows the name beside the address.
  const state = await readSecondFactor(
    deps.storage.db,
    { userId: user.id, sessionId: session.id, email: user.email },
    { ...deps, issuer: nameOf(context) },
  )
  const page = secondFactorSettingsPage(context, { ...state, ...said })
  return answerForm(request, reply, { status: said.problem ? 400 : 200, page, problem: said.problem }, deps)
}

export function answerCodes(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Parameters<typeof recoveryCodesPage>[1],
  { responses }: SecondFactorSettingsDeps,
): FastifyReply {
  return responses.page(reply, 200, recoveryCodesPage(responses.pageContext(request, reply, SECOND_FACTOR), shown))
}

/**
 * The mail that notifies the owner of a change, prepared before its transaction. The change and the mail's "this wasn't me" have the same
 * time: the link also undoes a factor that was turned on no earlier than it.
 */
export async function noticeOf(
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

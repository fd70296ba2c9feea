import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf, wantsPage } from '../../http/index.ts'
import type { GuardDeps } from './guard-deps.ts'

/** Answers 403 to a form that another site posted; `undefined` for one of ours. */
export function refuseForeign(
  request: FastifyRequest,
  reply: FastifyReply,
  { responses, baseUrl }: Pick<GuardDeps, 'responses' | 'baseUrl'>,
): FastifyReply | undefined {
  return originOf(request, baseUrl) === 'foreign' ? responses.refuse(request, reply, 403, 'origem nao permitida') : undefined
}

/**
 * The same for a form without flow or secret. A browser that does not send the form's origin is refused too, since nothing else could
 * decide.
 */
export function refuseUnlessOwn(
  request: FastifyRequest,
  reply: FastifyReply,
  { responses, baseUrl }: Pick<GuardDeps, 'responses' | 'baseUrl'>,
): FastifyReply | undefined {
  return originOf(request, baseUrl) === 'own' ? undefined : responses.refuse(request, reply, 403, 'origem nao permitida')
}

/** The message of a form's error, for clients that show no pages. */
const messages: Readonly<Record<string, string>> = {
  wrong_password: 'senha incorreta',
  too_many_attempts: 'muitas tentativas',
  busy: 'muitas entradas ao mesmo tempo, tente novamente',
  wrong_code: 'codigo invalido',
  code_expired: 'codigo invalido',
  ticket_expired: 'link invalido ou expirado',
  account_changed: 'conta alterada',
  changed_meanwhile: 'dados alterados em outra aba',
  corrected_already: 'numero ja corrigido',
  too_many_tries: 'muitas tentativas',
  unusable: 'Nao foi possivel usar este numero',
}

/** A form with an error: the page for a browser, `{error}` for every other client. A page without an error goes to all. */
export function answerForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, page, problem }: { status: number; page: string; problem?: string | undefined },
  { responses }: Pick<GuardDeps, 'responses'>,
): FastifyReply {
  if (status < 400 || wantsPage(request)) return responses.page(reply, status, page)
  return responses.json(reply, status, { error: messages[problem ?? ''] ?? 'campos invalidos' })
}

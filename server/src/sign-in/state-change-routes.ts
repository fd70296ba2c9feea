import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf, wantsPage } from '../http/index.ts'
import type { SignInDeps } from './routes.ts'

/** Answers 403 to a form that another site posted; `undefined` for one of ours. */
export function refuseForeign(
  request: FastifyRequest,
  reply: FastifyReply,
  { answers, baseUrl }: Pick<SignInDeps, 'answers' | 'baseUrl'>,
): FastifyReply | undefined {
  return originOf(request, baseUrl) === 'foreign' ? answers.refuse(request, reply, 403, 'origem nao permitida') : undefined
}

/** What a form that comes back says to whoever shows no pages. */
const messages: Readonly<Record<string, string>> = {
  wrong_password: 'senha incorreta',
  too_many_attempts: 'muitas tentativas',
  busy: 'muitas entradas ao mesmo tempo, tente novamente',
  wrong_code: 'codigo invalido',
  code_gone: 'codigo invalido',
  ticket_gone: 'link invalido ou expirado',
}

/** A form with what is wrong in it: the page for a browser, `{error}` for everyone else. A page that says nothing is wrong is a page for all. */
export function answerForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, page, problem }: { status: number; page: string; problem?: string | undefined },
  { answers }: Pick<SignInDeps, 'answers'>,
): FastifyReply {
  if (status < 400 || wantsPage(request)) return answers.page(reply, status, page)
  return answers.json(reply, status, { error: messages[problem ?? ''] ?? 'campos invalidos' })
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorPage } from '../../pages/index.ts'
import type { OpenIdDeps } from '../deps.ts'
import { openIdTexts } from '../texts.ts'

/** A fault of an app's request that can't be sent back to the app: our own page, with the code for the app's developers. */
export function openIdErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, error }: { status: number; error: string },
  { responses, headers }: Pick<OpenIdDeps, 'responses' | 'headers'>,
): { page: string; headers: Readonly<Record<string, string>> } {
  const context = responses.pageContext(request, reply)
  const texts = openIdTexts[context.language]
  const says = status >= 500 ? {} : { title: texts.title, message: `${texts.message} ${texts.code}: ${error}` }
  return { page: errorPage(context, { status, ...says, requestId: request.id }), headers: headers.page }
}

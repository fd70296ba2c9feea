import { z } from 'zod'
import { orPage, pageAnswer, pageFaults, refusal } from '../../http/index.ts'

// Schemas of the sign-in routes, for the API description.

export const tags = ['sign-in']
export const BAD_FLOW = {
  'fluxo invalido ou expirado':
    'the flow is older than 30 minutes, was altered, belongs to another browser, or its target is no longer registered',
}
export const FOREIGN_ORIGIN = { 'origem nao permitida': 'a browser says that the form was sent by another site' }

export const flow = z.string().describe('the sealed state of one sign-in, as our own pages hand it on')
/** The parameter of the language switch, on every page. */
export const lang = z
  .enum(['pt-BR', 'en', 'es'])
  .optional()
  .describe('language of the page, remembered; without it Accept-Language decides')
export const flowQuery = z.object({ flow, lang })

/** The secret of a mailed link. */
export const ticket = z.string().describe('the secret of the mailed link')
export const UNREADABLE = { 'Requisicao invalida': 'a request that can not be read' }
export const tooMany = refusal({ 'muitas tentativas': 'a limit is reached' }, { headers: { 'Retry-After': 'Seconds' } })
export const tooManyPage = orPage(tooMany)
export const busyPage = orPage(
  refusal({
    'muitas entradas ao mesmo tempo, tente novamente': 'more passwords to hash at once than the queue holds',
    'Servico indisponivel, tente novamente': 'the database is away',
  }),
)

/** The page of a mailed link: mail scanners open links too, so opening it does not use it up. */
export function ticketPage(operationId: string, summary: string) {
  return {
    operationId,
    summary,
    querystring: z.object({ ticket, lang }),
    response: {
      200: pageAnswer('The page'),
      400: orPage(refusal({ ...UNREADABLE, 'link invalido ou expirado': 'the link is used, too old, or was never made' })),
      ...pageFaults,
    },
  }
}
/** A flow continues only for its own browser and user. */
export const ATTEMPT_SECURITY = [{ flow: [], session: [], bound: [] }] as const
export const OTHER_USER = 'If someone else has signed in in this browser since, a page asks with which account to go on.'

/** A passkey's options for the browser, and the browser's answer. */
export const passkeyOptions = z.looseObject({ challenge: z.string() })
export const passkeyCredential = z.string().max(50_000).describe('what the browser got from the device, as JSON')

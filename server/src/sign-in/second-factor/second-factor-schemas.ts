import { z } from 'zod'
import { formBodySchema, orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../../http/index.ts'
import { BAD_FLOW, FOREIGN_ORIGIN, flow, lang, tooManyPage, UNREADABLE } from '../flow/schemas.ts'

const tags = ['sign-in']

export const secondFactorFormSchema = {
  operationId: 'showSecondFactorForm',
  summary: 'Where the code of the app is typed',
  description:
    'Who has a second factor comes here from every way in, unless a provider says that it has asked for one itself (amr has mfa).',
  tags,
  security: [{ flow: [] }],
  querystring: z.object({ flow, lang }),
  response: { 200: pageAnswer('The form'), 400: orPage(refusal(BAD_FLOW)), ...pageFaults },
}

export const secondFactorSchema = {
  operationId: 'verifySecondFactor',
  summary: 'Show the second factor',
  description:
    'A code of the app (30 seconds, and those beside them) or a recovery code. Each works once. Counted like a wrong password, and thirty a day besides.',
  tags,
  security: [{ flow: [] }],
  body: formBodySchema(z.object({ flow, code: z.string().max(100) })),
  response: {
    302: redirectAnswer('Signed in: to /complete-profile or, with nothing missing there, to /auth/welcome', {
      'Set-Cookie': 'eg_session, the bound cookie and the device cookie',
    }),
    400: orPage(refusal({ ...BAD_FLOW, ...UNREADABLE })),
    401: orPage(refusal({ 'codigo invalido': 'not the code of this moment, or one that was used' })),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...pageTooLarge,
    429: tooManyPage,
    ...pageFaults,
  },
}

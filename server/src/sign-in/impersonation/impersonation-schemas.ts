import { pageFaults, redirectAnswer, refusal } from '../../http/index.ts'
import { tags } from '../flow/schemas.ts'

export const stopImpersonationSchema = {
  tags,
  operationId: 'stopImpersonation',
  summary: 'Stop impersonating a user',
  description: 'Ends the session in which an administrator acts for a user, and brings their own back if it is still live.',
  security: [{ session: [], bound: [] }],
  response: {
    302: redirectAnswer('To the user in the console; to its sign-in where the administrator’s own session has ended', {
      'Set-Cookie': 'eg_session and the bound cookie of the administrator’s own session',
    }),
    403: refusal({ 'origem nao permitida': 'posted by another site' }),
    ...pageFaults,
  },
}

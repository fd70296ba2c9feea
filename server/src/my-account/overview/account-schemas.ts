import { pageAnswer, pageFaults, redirectAnswer } from '../../http/index.ts'

export const accountSchema = {
  operationId: 'showAccount',
  summary: 'Who is signed in',
  tags: ['sign-in'],
  security: [{ session: [], bound: [] }],
  response: {
    200: pageAnswer('Name, address, and the way out'),
    302: redirectAnswer('To /login for someone who is not signed in'),
    ...pageFaults,
  },
}

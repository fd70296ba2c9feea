import { z } from 'zod'
import { orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../http/index.ts'
import { FOREIGN_ORIGIN, lang } from '../sign-in/index.ts'

// Schemas of the account's pages, for the API description.

export const tags = ['account']
export const own = { tags, security: [{ session: [], bound: [] }] } as const
export const notSignedIn = { 302: redirectAnswer('To /login for someone who is not signed in; they come back from there') }
export const FRESH = 'Asks for a new sign-in (302 to /login) where the last was more than ten minutes ago, and then comes back to the page.'
export const page = (what: string) => ({
  ...own,
  querystring: z.object({ lang }),
  response: { 200: pageAnswer(what), ...notSignedIn, ...pageFaults },
})
export const list = (what: string) => ({
  ...page(what),
  querystring: z.object({ cursor: z.string().optional().describe('where the page before ended: ten a page'), lang }),
})
export const responses = { 403: orPage(refusal(FOREIGN_ORIGIN)), ...pageTooLarge, ...pageFaults }
export const action = (to: string) => ({
  302: redirectAnswer(`${to}, or to /login for someone who is not signed in, who comes back from there`),
  ...responses,
})

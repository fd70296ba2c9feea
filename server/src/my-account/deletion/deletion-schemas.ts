import { z } from 'zod'
import { formBodySchema, orPage, pageAnswer, refusal } from '../../http/index.ts'
import { ticket, ticketPage, UNREADABLE } from '../../sign-in/index.ts'
import { FRESH, notSignedIn, own, page, responses, tags } from '../page-schemas.ts'

export const deletionFormSchema = {
  ...page('The form'),
  operationId: 'showDeletionForm',
  summary: 'What the deletion of one’s account does',
  description: FRESH,
}

export const requestDeletionSchema = {
  ...own,
  operationId: 'requestDeletion',
  summary: 'Ask for one’s account to be deleted',
  description: `Closes the account, ends all sessions and mails a link that undoes it for 7 days; then the personal data goes, and a last mail says so. ${FRESH}`,
  body: formBodySchema(z.object({ email: z.email().describe('the address of the account, typed again') })),
  response: {
    200: pageAnswer('That it is closed, and until when it can be undone', { 'Set-Cookie': 'Session and bound cookie, cleared' }),
    ...notSignedIn,
    ...responses,
    400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'not the address of the account' })),
    409: orPage(refusal({ 'campos invalidos': 'the last owner can not leave' })),
  },
}

export const undoDeletionPageSchema = { ...ticketPage('showUndoDeletion', 'Where the link in the mail about a deletion leads'), tags }

export const undoDeletionSchema = {
  operationId: 'undoDeletion',
  summary: 'Keep an account that was about to be deleted',
  tags,
  body: formBodySchema(z.object({ ticket })),
  response: {
    200: pageAnswer('Done: its user can sign in again'),
    400: orPage(refusal({ ...UNREADABLE, 'link invalido ou expirado': 'the link is used, a week old, or was never made' })),
    ...responses,
  },
}

import { z } from 'zod'
import { formBodySchema } from '../../http/index.ts'
import { action, list, own } from '../page-schemas.ts'

export const sessionsSchema = {
  ...list('The page'),
  operationId: 'showOwnSessions',
  summary: 'Where one is signed in',
  description:
    'The live sessions of the domain, this browser’s on top of the first page, then the newest first: device, address, when begun and last seen (a few minutes late at most).',
}

export const endSessionSchema = {
  ...own,
  operationId: 'endOwnSession',
  summary: 'End one of one’s own sessions',
  description:
    'Every node refuses it within 2 s, and the product sessions that came from it. An id that is not one’s own live session changes nothing.',
  body: formBodySchema(z.object({ session: z.uuid() })),
  response: action('To the list'),
}

export const endOtherSessionsSchema = {
  ...own,
  operationId: 'endOtherOwnSessions',
  summary: 'End all of one’s sessions but this one',
  response: action('To the list'),
}

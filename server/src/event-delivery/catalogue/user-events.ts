import { z } from 'zod'
import type { EventType } from '../../app-events/index.ts'
import type { CataloguedEvent } from './catalogued-event.ts'

const ids = {
  sequence: z
    .int()
    .describe('it rises with each event `user.*` about a user for one receiver, and counts for these alone; a lower one is old'),
  product_id: z.uuid().nullable().describe("null: the event is for the operator's endpoints"),
  user_id: z.uuid(),
}

const data = z
  .object({
    ...ids,
    email: z.email().nullable().describe('null without `read:email`, as far as the user has agreed to it'),
    email_verified: z.boolean().nullable().describe('null where `email` is'),
    name: z.string().nullable().describe('null without `read:profile`, as far as the user has agreed to it; so are the fields below'),
    avatar_url: z.string().nullable(),
    company_name: z.string().nullable(),
    rank_name: z.string().nullable(),
  })
  .meta({ id: 'UserEventData' })

const gone = z.object(ids).meta({ id: 'UserDeletedData' })

const example = {
  sequence: 1_795_435_200_000,
  product_id: '0199c2b4-2222-7c1e-9f52-1b6f0a4c8e21',
  user_id: '0199c2b4-1111-7c1e-9f52-1b6f0a4c8e21',
  email: 'ana@example.com',
  email_verified: true,
  name: 'Ana Souza',
  avatar_url: null,
  company_name: 'Souza Ltda',
  rank_name: null,
}
const { sequence, product_id, user_id } = example

export const userEvents = {
  'user.created': {
    when: 'an account is new to the operator; to an app, when its user first shares data with it or has a session in it',
    data,
    example,
  },
  'user.updated': {
    when: 'another value of a field that the receiver may see, or a field that it may see no longer',
    data,
    example: { ...example, email: null, email_verified: null },
  },
  'user.deleted': { when: 'the account and its data are removed', data: gone, example: { sequence, product_id, user_id } },
} as const satisfies Partial<Record<EventType, CataloguedEvent>>

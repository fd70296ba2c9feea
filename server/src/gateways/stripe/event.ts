import type { StoredDelivery } from '../gateway.ts'
import { idAt, partAt, textAt, timeAt } from './object.ts'

/** An event as Stripe sends it to snapshot endpoints, and lists it. */
export interface StripeEvent {
  id: string
  type: string
  /** When it happened, in ms. */
  at: number
  /** Of an account that is merely connected to the merchant's: not the merchant's own sale. */
  isOfOtherAccount: boolean
  isTest: boolean
  /** What it is about, as it was when the event happened. Its form is that of the endpoint's API version. */
  object: unknown
  /** What attributes of it were before; told with `….updated` only. */
  before: unknown
}

/** `undefined` for what is no snapshot event: a thin event (`v2.core.event`) names its object only, and none of ours. */
export function parseEvent({ body, receivedAt }: Pick<StoredDelivery, 'body' | 'receivedAt'>): StripeEvent | undefined {
  const id = idAt(body, 'id')
  const type = textAt(body, 'type')
  if (textAt(body, 'object') !== 'event' || !id?.startsWith('evt_')) return undefined
  if (type === undefined || !/^[\w.]{1,100}$/.test(type)) return undefined
  return {
    id,
    type,
    at: timeAt(body, 'created') ?? receivedAt,
    isOfOtherAccount: textAt(body, 'account') !== undefined,
    isTest: partAt(body, 'livemode') === false,
    object: partAt(body, 'data', 'object'),
    before: partAt(body, 'data', 'previous_attributes'),
  }
}

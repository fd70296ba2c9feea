import type { StoredDelivery } from '../gateway.ts'
import { idAt, partAt, textAt, timeAt } from './object.ts'

/** An event as Stripe sends it to snapshot endpoints, and lists it. */
export interface StripeEvent {
  id: string
  type: string
  /** The time of the event, in ms. */
  at: number
  /** From an account that is only connected to the merchant's: not the merchant's own sale. */
  isOfOtherAccount: boolean
  isTest: boolean
  /** The object as it was at the event, in the form of the endpoint's API version. */
  object: unknown
  /** The earlier values of changed attributes; only with `….updated`. */
  before: unknown
}

/** `undefined` for anything but a snapshot event: a thin event (`v2.core.event`) only names its object, and none of ours. */
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

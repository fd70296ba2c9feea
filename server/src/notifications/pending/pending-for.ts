import { type NormalizedEvent, subjectsOf } from '../../payment-history/index.ts'

/** Names that are known now. Notifications that wait under them may be processed. */
export interface PendingFor {
  source: string
  productId: string
  names: readonly string[]
}

/**
 * The names under which an early event waits, and under which a later event looks for it. A gateway's event waits under the names of its
 * payment and subscription. A payment of the own checkout waits under its subscription, since a renewal may leave out what the purchase
 * says. An event of the own checkout about a gateway's payment uses both. No other event of the own checkout waits for another.
 */
export function pendingFor(source: string, { stream, event }: NormalizedEvent): PendingFor[] {
  const isOfGateway = stream.by === 'gateway'
  const own = isOfGateway ? stream.own : { source, stream }
  return [
    ...(isOfGateway ? [{ source, productId: stream.productId, names: subjectsOf(stream) }] : []),
    ...(own?.stream.by === 'own' && event.kind === 'paid' ? [{ source: own.source, productId: '', names: [own.stream.ref] }] : []),
  ]
}

/** All of these names, in the order in which they are locked. */
export function pendingNames(normalized: NormalizedEvent): string[] {
  return [...new Set(pendingFor('', normalized).flatMap(({ names }) => names))].sort()
}

import { normaliseEmail } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { findPlan } from '../../subscriptions/index.ts'
import { eventStore } from '../events/event-store.ts'
import { ownRef } from '../streams/own-ref.ts'
import { compareAmount } from './compare-amount.ts'
import type { NormalizedEvent } from './normalized-event.ts'
import { resolveOfGateway } from './resolve-of-gateway.ts'
import { NO_PLAN, type Pending, type Resolved } from './resolved.ts'

/**
 * Resolves the stream, the buyer and the plan of an event, or answers why it has to wait. A payment that is already applied is never held,
 * as when the plan's price rose since.
 */
export async function resolveEvent(tx: Transaction, source: string, normalized: NormalizedEvent): Promise<Resolved | Pending> {
  const found = await findWhole(tx, source, normalized)
  if ('unresolved' in found || !found.isHeld) return found
  const { ref, paymentId, match, mismatch } = found
  const isApplied = await eventStore(tx).hasPaid(source, [ref, ...(match?.mergedStreams ?? [])], [paymentId, ...(match?.formerIds ?? [])])
  return isApplied ? found : { unresolved: 'unexpected_amount', ...(mismatch && { mismatch }) }
}

async function findWhole(tx: Transaction, source: string, normalized: NormalizedEvent): Promise<Resolved | Pending> {
  const { stream, plan, email: sent, event } = normalized
  const email = sent === undefined ? undefined : normaliseEmail(sent)
  if (stream.by === 'gateway') return resolveOfGateway(tx, { source, normalized, stream, email })
  const ref = ownRef(stream, sent)
  if (ref === undefined) return { unresolved: 'unusable_address' }
  const { kind, paymentId } = event
  // Only a payment says what was bought and by whom. Any other event is applied to its stream at once, even before its payment.
  if (kind !== 'paid') return { ref, email: undefined, plan: NO_PLAN, paymentId }
  if (sent !== undefined && email === undefined) return { unresolved: 'unusable_address' }
  const found = await findPlan(tx, plan)
  if (typeof found === 'string' && !(isLeftOut(plan) && (await eventStore(tx).hasPlan({ source, ref })))) return { unresolved: found }
  if (email === undefined && !(await eventStore(tx).hasPlan({ source, ref }))) return { unresolved: 'unusable_address' }
  return { ref, email, plan: typeof found === 'string' ? NO_PLAN : found, paymentId, ...compareAmount(normalized, found) }
}

/** An unknown name of a plan waits for the operator. A missing name, as in a renewal, may be known from the stream. */
function isLeftOut(plan: NormalizedEvent['plan']): boolean {
  return plan.by === 'name' && plan.name === ''
}

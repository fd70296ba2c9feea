import { FatalJobFault } from '../../outbox/index.ts'
import { explainGatewayApiFault } from '../fetching/gateway-api.ts'
import type { GatewayApi } from '../gateway.ts'
import { idAt, listAt, textAt, timeAt } from './fields.ts'
import { billedAtOf, isBillingDay } from './period.ts'

/**
 * The time (ms) of the bill that a subscription's payment pays; `undefined` where it is unknown. `charge`: the charge of this payment, if
 * already known. Otherwise it is fetched only where the payment itself states no billing day of its subscription.
 */
export async function findBilledAt(
  payment: unknown,
  { preapproval, charge }: { preapproval: unknown; charge: unknown },
  api: GatewayApi,
): Promise<number | undefined> {
  const paidAt = timeAt(payment, 'date_approved')
  const id = idAt(payment, 'id')
  if (paidAt === undefined || id === undefined || preapproval === undefined) return undefined
  const stated = billedAtOf(payment, paidAt)
  if (stated !== undefined && isBillingDay(preapproval, stated) !== false) return stated
  const debitAt = timeAt(charge ?? (await searchCharge(id, api)), 'debit_date')
  return debitAt === undefined ? stated : Math.min(debitAt, paidAt)
}

/**
 * Many accounts' charges are not found, or may not be read: that is no reason to withhold a payment. A temporary fault is thrown, and the
 * request is repeated.
 */
async function searchCharge(paymentId: string, api: GatewayApi): Promise<unknown> {
  const answer = await api.get(`/authorized_payments/search?payment_id=${paymentId}`).catch((fault: unknown) => {
    if (isRefused(fault)) return undefined
    throw fault
  })
  return listAt(answer, 'results').find((charge) => textAt(charge, 'payment', 'id') === paymentId)
}

/** Whether the gateway will answer the same again. The payment was read with the same token, so a refusal concerns this request alone. */
function isRefused(fault: unknown): boolean {
  return fault instanceof FatalJobFault || (fault instanceof Error && explainGatewayApiFault(fault).code === 'token_refused')
}

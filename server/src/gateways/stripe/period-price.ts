import { countingLines, isProration, linesOf, netOf } from './invoice-lines.ts'
import { listAt, numberAt } from './object.ts'

/**
 * The price of the period that a paid invoice of a subscription is for, in Stripe's units, where it is not `amount_paid`. What credit paid
 * is a part of it: lines below nothing, for the time of an old plan, and the customer's balance. The rest of an earlier period, billed with
 * the next one, is no part of it, nor is that of a plan that was left before the invoice. The balance is the total less what was paid:
 * Stripe has sent a `starting_balance` of 0 where there was one (stripe-dotnet issue 3225). It is below nothing where a debt of the
 * customer was paid as well.
 */
export function periodPriceOf(invoice: unknown, subscriptionId: string): number | undefined {
  const paid = numberAt(invoice, 'amount_paid')
  if (paid === undefined) return undefined
  const bought = linesOf(invoice, undefined)
  const credits = sum(listAt(invoice, 'lines').map((line) => Math.max(0, -(numberAt(line, 'amount') ?? 0))))
  const waived = numberAt(invoice, 'pre_payment_credit_notes_amount') ?? 0
  const balance = (numberAt(invoice, 'total') ?? paid) - paid - waived
  const counting = new Set(countingLines(invoice, subscriptionId).map(({ line }) => line))
  const others = bought.filter((line) => isProration(line) && !counting.has(line))
  const price = paid + Math.min(credits + balance, sum(bought.map(netOf))) - sum(others.map(netOf))
  return price >= 0 && price !== paid ? price : undefined
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}

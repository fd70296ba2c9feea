import { html } from 'ghtml'
import { type PageContext, texts } from '../../pages/index.ts'
import type { AccessReason, UserPurchase } from '../../subscriptions/index.ts'
import { accountLayout, entries, foot, formatPrice, moment, pager, plain, unverifiedNotice } from '../components.ts'

interface PurchasesPage {
  /** `wasGuest`: bought before there was an account. */
  purchases: Array<UserPurchase & { reason: AccessReason; wasGuest: boolean }>
  /** Whether the address is verified: purchases of an unverified address have no user yet. */
  address: 'verified' | 'unverified'
  cursor: string | undefined
  isFirst: boolean
}

/** A user's purchases: the plan, its state, and its end. */
export function purchasesPage(context: PageContext, { purchases, address, cursor, isFirst }: PurchasesPage): string {
  const { language } = context
  const { ownPurchases: labels, own } = texts[language]
  const shown = purchases.map((purchase) => ({
    heading: purchase.plan?.name ?? labels.unknownPlan,
    tag: { text: labels.states[purchase.reason], look: purchase.reason === 'paid' ? 'good' : 'quiet' } as const,
    facts: factsOf(context, purchase),
    note: purchase.wasGuest ? labels.wasGuest : undefined,
  }))
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${address === 'unverified' ? unverifiedNotice(context) : ''}
!${entries(shown, own.empty)}
!${pager(context, '/account/purchases', { cursor, isFirst })}
!${foot(context, { times: shown.length > 0 ? 'brasilia' : 'none' })}`
  return accountLayout(context, { title: labels.title, body })
}

function factsOf(
  { language }: PageContext,
  { plan, product, periodEnd, graceFrom, accessUntil, createdAt, reason }: PurchasesPage['purchases'][number],
) {
  const labels = texts[language].ownPurchases
  const isRunning = graceFrom !== undefined && (reason === 'in_grace' || reason === 'past_due')
  return [
    { label: labels.price, value: plan && plain(formatPrice(plan.price, language)) },
    { label: labels.boughtFor, value: product === undefined ? undefined : plain(product) },
    { label: labels.since, value: moment(createdAt, language) },
    { label: labels.until, value: periodEnd === undefined ? undefined : moment(periodEnd, language) },
    { label: labels.grace, value: isRunning && Number.isFinite(accessUntil) ? moment(accessUntil, language) : undefined },
  ]
}

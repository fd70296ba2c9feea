import { html } from 'ghtml'
import { layout, notice, type PageContext, texts } from '../../pages/index.ts'
import type { AccessReason, UserPurchase } from '../../subscriptions/index.ts'
import { entries, foot, moment, pager, plain, priceWords } from '../components.ts'

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
  const { ownPurchases: words, own } = texts[language]
  const shown = purchases.map((purchase) => ({
    heading: purchase.plan?.name ?? words.unknownPlan,
    tag: { text: words.standing[purchase.reason], look: purchase.reason === 'paid' ? 'good' : 'quiet' } as const,
    facts: factsOf(context, purchase),
    note: purchase.wasGuest ? words.wasGuest : undefined,
  }))
  const body = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
!${address === 'unverified' ? notice(own.purchases, words.unverified) : ''}
!${entries(shown, own.empty)}
!${pager(context, '/account/purchases', { cursor, isFirst })}
!${foot(context, { times: shown.length > 0 ? 'brasilia' : 'none' })}`
  return layout(context, { title: words.title, body })
}

function factsOf(
  { language }: PageContext,
  { plan, product, periodEnd, graceFrom, accessUntil, createdAt, reason }: PurchasesPage['purchases'][number],
) {
  const words = texts[language].ownPurchases
  const isRunning = graceFrom !== undefined && (reason === 'in_grace' || reason === 'past_due')
  return [
    { label: words.price, value: plan && plain(priceWords(plan.price, language)) },
    { label: words.boughtFor, value: product === undefined ? undefined : plain(product) },
    { label: words.since, value: moment(createdAt, language) },
    { label: words.until, value: periodEnd === undefined ? undefined : moment(periodEnd, language) },
    { label: words.grace, value: isRunning && Number.isFinite(accessUntil) ? moment(accessUntil, language) : undefined },
  ]
}

import { Box } from '@mui/material'
import { useLocale } from 'react-admin'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ExportButton } from '../kit/list/export-button.tsx'
import type { Filter } from '../kit/list/list-filters.tsx'
import { ListPage } from '../kit/list/list-page.tsx'
import { formatAmount } from '../kit/show/formats.ts'
import { Absent, Address, Time } from '../kit/show/values.tsx'
import { usePlanName } from '../kit/use-plan-name.ts'
import { useProductName } from '../kit/use-product-name.ts'
import { useCurrencyFilter } from '../payments/currencies.ts'
import { useOfferFilters } from '../payments/offers.ts'
import { PaidBy } from '../payments/paid-by.tsx'
import { paymentTexts } from '../payments/payment-texts.ts'
import { StateChip, subscriptionStates } from '../payments/state-chip.tsx'
import { AccessChip } from './access-chip.tsx'
import { isGuest, type Subscription, subscriptionPath } from './subscription.ts'
import { subscriptionTexts } from './texts.ts'

/** The subscriptions, the newest first. */
export function SubscriptionList() {
  const texts = useTexts(subscriptionTexts)
  const planName = usePlanName()
  const productName = useProductName()
  return (
    <ListPage<Subscription>
      title={texts.title}
      columns={[
        { label: texts.plan, value: ({ plan_slug, product }) => (plan_slug === null ? texts.noPlan : planName(plan_slug, product)) },
        { label: texts.product, value: ({ product }) => (product === null ? texts.ofOperator : productName(product)) },
        { label: texts.buyer, value: (subscription) => <Buyer subscription={subscription} /> },
        { label: texts.state, value: ({ status }) => <StateChip state={status} /> },
        { label: texts.access, value: (one) => <AccessChip isActive={one.active} isGuest={isGuest(one)} /> },
        { label: texts.monthly, value: (one) => <Monthly of={one} />, align: 'right', isFor: ({ figure }) => figure === 'mrr' },
        { label: texts.method, value: (one) => <PaidBy payment={one} /> },
        { label: texts.changedAt, value: ({ changed_at }) => <Time at={changed_at} /> },
      ]}
      filters={useFilters()}
      sort={{ field: 'created_at', order: 'DESC' }}
      pathOf={({ id }) => subscriptionPath(id)}
      empty={texts.empty}
      actions={<ExportButton />}
    />
  )
}

function Monthly({ of: { monthly_amount, monthly_currency } }: { of: Subscription }) {
  const locale = localeOf(useLocale())
  if (monthly_amount == null || monthly_currency == null) return <Absent />
  return (
    <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {formatAmount(monthly_amount, monthly_currency, locale)}
    </Box>
  )
}

function Buyer({ subscription: { email, user_id } }: { subscription: Subscription }) {
  const texts = useTexts(subscriptionTexts)
  return (
    <>
      {email === null ? <Absent /> : <Address text={email} />}
      {user_id === null && ` (${texts.guest.toLowerCase()})`}
    </>
  )
}

/** As the reports count them. */
const changes = ['new', 'returned', 'lost', 'plan_changed'] as const

function useFilters(): readonly Filter[] {
  const texts = useTexts(subscriptionTexts)
  const { states } = useTexts(paymentTexts)
  const [plan, product] = useOfferFilters(texts)
  const currency = useCurrencyFilter(texts.currency, 'figure')
  return [
    { name: 'email', label: texts.buyerFilter, kind: 'text' },
    {
      // A subscription that ran out without an event is shown as expired, but found among the active ones: see the service's list.
      name: 'state',
      label: texts.stateInEvents,
      kind: 'choice',
      choices: subscriptionStates.map((state) => ({ value: state, label: states[state] })),
    },
    plan,
    product,
    {
      name: 'guest',
      label: texts.owner,
      kind: 'choice',
      choices: [
        { value: 'true', label: texts.guests },
        { value: 'false', label: texts.linked },
      ],
    },
    {
      name: 'changed',
      label: texts.changed,
      kind: 'choice',
      choices: changes.map((value) => ({ value, label: texts.changes[value] })),
    },
    { name: 'changed_since', label: texts.changedSince, kind: 'from', needs: 'changed' },
    { name: 'changed_until', label: texts.changedUntil, kind: 'until', needs: 'changed' },
    { name: 'active_on', label: texts.activeOn, kind: 'day' },
    { name: 'figure', label: texts.figure, kind: 'choice', needs: 'active_on', choices: [{ value: 'mrr', label: texts.figures.mrr }] },
    currency,
    { name: 'since', label: texts.since, kind: 'from' },
    { name: 'until', label: texts.until, kind: 'until' },
  ]
}

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
import { useCurrencyFilter } from '../payments/currencies.ts'
import { useOfferFilters } from '../payments/offers.ts'
import { subscriptionPath } from '../subscriptions/subscription.ts'
import { transactionTexts } from './texts.ts'
import type { Transaction } from './transaction.ts'

/** Every payment and what was given back, the newest first. A row leads to its subscription. */
export function TransactionList() {
  const texts = useTexts(transactionTexts)
  const planName = usePlanName()
  return (
    <ListPage<Transaction>
      title={texts.title}
      about={texts.about}
      columns={[
        { label: texts.at, value: ({ at }) => <Time at={at} />, sortBy: 'at' },
        { label: texts.kind, value: ({ kind }) => texts.kinds[kind] },
        { label: texts.amount, value: (one) => <Amount of={one} />, align: 'right' },
        { label: texts.plan, value: ({ plan_slug, product }) => (plan_slug === null ? texts.noPlan : planName(plan_slug, product)) },
        { label: texts.buyer, value: ({ email }) => (email === null ? <Absent /> : <Address text={email} />) },
        { label: texts.payment, value: ({ payment_id }) => payment_id ?? <Absent /> },
      ]}
      filters={useFilters()}
      sort={{ field: 'at', order: 'DESC' }}
      pathOf={({ subscription_id }) => subscriptionPath(subscription_id)}
      empty={texts.empty}
      actions={<ExportButton />}
    />
  )
}

function Amount({ of: { amount, currency } }: { of: Transaction }) {
  const texts = useTexts(transactionTexts)
  const locale = localeOf(useLocale())
  if (amount === null) return texts.unknown
  return (
    <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {formatAmount(amount, currency, locale)}
    </Box>
  )
}

const FIGURES = ['received', 'refunded', 'lost_in_disputes'] as const

function useFilters(): readonly Filter[] {
  const texts = useTexts(transactionTexts)
  const currency = useCurrencyFilter(texts.currency)
  const [plan, product] = useOfferFilters(texts)
  return [
    { name: 'figure', label: texts.kind, kind: 'choice', choices: FIGURES.map((value) => ({ value, label: texts.figures[value] })) },
    currency,
    plan,
    product,
    { name: 'since', label: texts.since, kind: 'from' },
    { name: 'until', label: texts.until, kind: 'until' },
  ]
}

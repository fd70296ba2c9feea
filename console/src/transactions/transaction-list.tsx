import { Box } from '@mui/material'
import { useLocale } from 'react-admin'
import { type Locale, localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ExportButton } from '../kit/list/export-button.tsx'
import type { Filter } from '../kit/list/list-filters.tsx'
import { ListPage } from '../kit/list/list-page.tsx'
import { formatForeign, formatMoney } from '../kit/show/formats.ts'
import { Absent, Address, Time } from '../kit/show/values.tsx'
import { usePlanName } from '../kit/use-plan-name.ts'
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
      {textOf(amount, currency, locale)}
    </Box>
  )
}

function textOf(amount: number, currency: string, locale: Locale): string {
  return currency === 'BRL' ? formatMoney(amount, locale) : formatForeign(amount, currency, locale)
}

/** Currencies of the neighbours, and those in which most is paid elsewhere. The list is of reais where none is chosen. */
const CURRENCIES = ['ARS', 'CLP', 'COP', 'EUR', 'GBP', 'JPY', 'MXN', 'PEN', 'PYG', 'USD', 'UYU']
const FIGURES = ['received', 'refunded', 'lost_in_disputes'] as const

function useFilters(): readonly Filter[] {
  const texts = useTexts(transactionTexts)
  const names = new Intl.DisplayNames(localeOf(useLocale()), { type: 'currency' })
  return [
    { name: 'figure', label: texts.kind, kind: 'choice', choices: FIGURES.map((value) => ({ value, label: texts.figures[value] })) },
    {
      name: 'currency',
      label: texts.currency,
      kind: 'choice',
      none: `BRL: ${names.of('BRL') ?? ''}`,
      choices: CURRENCIES.map((value) => ({ value, label: `${value}: ${names.of(value) ?? value}` })),
    },
    { name: 'since', label: texts.since, kind: 'from' },
    { name: 'until', label: texts.until, kind: 'until' },
  ]
}

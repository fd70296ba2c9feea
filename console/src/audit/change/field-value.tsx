import { Box } from '@mui/material'
import { useLocale } from 'react-admin'
import { useTimeZone } from '../../console-context.ts'
import { localeOf } from '../../i18n/locales.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { valueText } from '../../kit/show/value-text.ts'
import { Absent, Money, Time } from '../../kit/show/values.tsx'
import { kitTexts } from '../../kit/texts.ts'
import { useProducts } from '../../payments/offers.ts'
import { paymentTexts } from '../../payments/payment-texts.ts'
import { planTexts } from '../../plans/texts.ts'
import { openIdTexts } from '../../products/doors/openid-texts.ts'
import { productTexts } from '../../products/texts.ts'
import { frameTexts } from '../../texts.ts'
import { UserName } from '../../users/user-name.tsx'
import { fieldLabels } from './field-labels.ts'

/** Before this a number of milliseconds is no moment of ours, but a count. */
const FIRST_MOMENT = Date.UTC(2000, 0)
const MOMENT = /_at$|^(since|until|signs_from)$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** A value of a change, by the name of its field: money, moments, users and products as such, everything else as text. */
export function FieldValue({ name, value }: { name: string; value: unknown }) {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) return <Absent />
  if (name === 'price' && typeof value === 'number') return <Money centavos={value} />
  if (MOMENT.test(name) && typeof value === 'number' && value > FIRST_MOMENT) return <Time at={new Date(value).toISOString()} />
  if (typeof value === 'string') {
    if (ISO.test(value)) return <Time at={value} />
    if (name === 'user_id' && ID.test(value)) return <UserName id={value} />
    if (name === 'product' || name === 'scope') return <ProductOf named={value} />
  }
  return Array.isArray(value) ? (
    value.map((one) => <Line key={JSON.stringify(one)} name={name} value={one} />)
  ) : (
    <Line name={name} value={value} />
  )
}

function Line({ name, value }: { name: string; value: unknown }) {
  const labels = useTexts(kitTexts)
  const fields = useTexts(fieldLabels)
  const known = useNamesOf(name)
  const locale = localeOf(useLocale())
  const zone = useTimeZone()
  // A text is somebody's own: only that of a field with words of ours is one of them. The names inside a value are always ours.
  const names = typeof value === 'object' ? { ...fields, ...known } : known
  return <Box>{valueText(value, names, { labels, locale, zone })}</Box>
}

/** The words for the API's own in a field. */
function useNamesOf(name: string): Readonly<Record<string, string>> {
  const product = useTexts(productTexts)
  const payment = useTexts(paymentTexts)
  const openid = useTexts(openIdTexts)
  const { belowPrices } = useTexts(planTexts)
  const { roles } = useTexts(frameTexts)
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    audience: product.audiences,
    checkout: product.checkouts,
    handoff: product.handoffs,
    scopes: product.scopeNames,
    requires: product.requirementNames,
    foreigners: product.foreignerNames,
    payment_methods: { ...payment.methods, ...payment.sources },
    gateway: payment.sources,
    gateway_refs: payment.sources,
    state: payment.states,
    below_price: belowPrices,
    kind: openid.kinds,
    pkce: openid.pkces,
    role: roles,
  }
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? {}
}

/** A product by its name, whether its id or its slug was recorded; of a plan it may be the operator. */
function ProductOf({ named }: { named: string }) {
  const { ofOperator } = useTexts(planTexts)
  const product = useProducts().find(({ id, slug }) => id === named || slug === named)
  return product?.name ?? (named === 'operator' ? ofOperator : <code>{named}</code>)
}

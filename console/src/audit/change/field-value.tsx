import { Box } from '@mui/material'
import { useLocale } from 'react-admin'
import { useTimeZone } from '../../console-context.ts'
import { type Locale, localeOf } from '../../i18n/locales.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { valueText } from '../../kit/show/value-text.ts'
import { Absent, Money, Time } from '../../kit/show/values.tsx'
import { kitTexts } from '../../kit/texts.ts'
import { usePlans } from '../../payments/offers.ts'
import { isAdminScope } from '../../tokens/token-scopes.ts'
import { useScopeLabels } from '../../tokens/use-scope-labels.ts'
import { UserName } from '../../users/user-name.tsx'
import { EndpointName, Id, ProductName, ProviderName } from '../named.tsx'
import { MASKED } from './change-rows.ts'
import { fieldLabels } from './field-labels.ts'
import { valueNames } from './value-names.ts'

/** Before this a number of milliseconds is no moment of ours, but a count. */
const FIRST_MOMENT = Date.UTC(2000, 0)
const MOMENT = /_at$|^(since|until|signs_from)$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** A value of a change, by the name of its field: money, moments, names instead of ids and slugs, everything else as text. */
export function FieldValue({ name, value }: { name: string; value: unknown }) {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) return <Absent />
  if (name === 'price' && typeof value === 'number') return <Money centavos={value} />
  if (MOMENT.test(name) && typeof value === 'number' && value > FIRST_MOMENT) return <Time at={new Date(value).toISOString()} />
  if (typeof value === 'string') return <TextValue name={name} text={value} />
  return Array.isArray(value) ? (
    value.map((one) => <Line key={JSON.stringify(one)} name={name} value={one} />)
  ) : (
    <Line name={name} value={value} />
  )
}

function TextValue({ name, text }: { name: string; text: string }) {
  if (text === MASKED) return text
  if (ISO.test(text)) return <Time at={text} />
  if (name === 'product' || name === 'scope') return <ProductName named={text} />
  if (name === 'provider_id') return <ProviderName id={text} />
  if (!ID.test(text)) return <Line name={name} value={text} />
  if (name === 'user_id') return <UserName id={text} />
  return name === 'endpoint' ? <EndpointName id={text} /> : <Id id={text} />
}

function Line({ name, value }: { name: string; value: unknown }) {
  const labels = useTexts(kitTexts)
  const fields = useTexts(fieldLabels)
  const known = useNamesOf(name, value)
  const locale = localeOf(useLocale())
  const zone = useTimeZone()
  // A text is somebody's own: only that of a field with words of ours is one of them. The names of inner fields are always ours.
  const kind = typeof value === 'object' ? { fields, labelsOf: (field: string) => labelsOf(field, locale) } : known
  return <Box>{valueText(value, kind, { labels, locale, zone })}</Box>
}

function labelsOf(field: string, locale: Locale): Readonly<Record<string, string>> {
  const known = valueNames(locale)
  return (Object.hasOwn(known, field) ? known[field] : undefined) ?? {}
}

/** The words for the API's own in a field: fixed ones, or the name of what a slug stands for. */
function useNamesOf(name: string, value: unknown): Readonly<Record<string, string>> {
  const locale = localeOf(useLocale())
  const plans = usePlans()
  // An entry does not say whose plan it is, and two products may have plans with one slug.
  const nameOfOnly = (slug: string) => {
    const [only, ...others] = plans.filter((plan) => plan.slug === slug)
    return only && others.length === 0 ? only.name : slug
  }
  const { resourceOf, actionOf } = useScopeLabels()
  if (typeof value === 'string') {
    if (name === 'plan' || name === 'plans') return { [value]: nameOfOnly(value) }
    if (name === 'scopes' && isAdminScope(value))
      return { [value]: `${resourceOf(value.slice(0, value.indexOf(':')))}: ${actionOf(value)}` }
  }
  return labelsOf(name, locale)
}

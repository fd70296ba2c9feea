import { Typography } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { CopyText } from '../kit/show/copy-text.tsx'
import { Facts } from '../kit/show/facts.tsx'
import { Section } from '../kit/show/section.tsx'
import { Time, YesNo } from '../kit/show/values.tsx'
import { paymentTexts } from '../payments/payment-texts.ts'
import { methods, type ProductDetails } from './product.ts'
import { productTexts } from './texts.ts'

/** An app's kind and settings, in plain words. */
export function DetailsSection({ product }: { product: ProductDetails }) {
  const texts = useTexts(productTexts)
  const { methods: methodNames } = useTexts(paymentTexts)
  const { audience, checkout, handoff, scopes, grace_days } = product
  return (
    <Section title={texts.settings}>
      <Facts
        facts={[
          [texts.slug, <CopyText key="slug" text={product.slug} label={texts.slug} />],
          [texts.audience, <Meant key="audience" label={texts.audiences[audience]} meaning={texts.audienceMeaning[audience]} />],
          [texts.checkout, texts.checkouts[checkout]],
          [texts.handoff, texts.handoffs[handoff]],
          [texts.scopes, scopes.map((scope) => texts.scopeNames[scope]).join(', ') || texts.noScopes],
          [texts.requires, requiresText(product, texts)],
          [texts.queryKey, <YesNo key="query" value={product.query_key_allowed} />],
          [texts.grace, methods.map((method) => `${methodNames[method]}: ${texts.graceDays(grace_days[method])}`).join(' · ')],
          [texts.createdAt, <Time key="created" at={product.created_at} />],
          [texts.id, <CopyText key="id" text={product.id} label={texts.id} />],
        ]}
      />
    </Section>
  )
}

function requiresText({ requires, foreigners }: ProductDetails, texts: typeof productTexts.en): string {
  if (requires.length === 0) return texts.requiresNothing
  const names = requires.map((one) => texts.requirementNames[one]).join(', ')
  const others = texts.foreignerNames[foreigners]
  return requires.includes('tax_id') ? `${names} · ${texts.foreigners}: ${others.charAt(0).toLowerCase()}${others.slice(1)}` : names
}

function Meant({ label, meaning }: { label: string; meaning: string }) {
  return (
    <>
      {label}
      <Typography variant="body2" color="textSecondary">
        {meaning}
      </Typography>
    </>
  )
}

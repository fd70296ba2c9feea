import { Box, TextField } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { useProductName } from '../kit/use-product-name.ts'
import { Choice } from '../payments/choice.tsx'
import { usePlans, useProducts } from '../payments/offers.ts'
import { actionTexts } from './action-texts.ts'

/** The operator's answers about a notification; empty to leave the sent value. */
export interface Known {
  planId: string
  /** Slug. */
  product: string
  email: string
}

interface ResolveFieldsProps {
  known: Known
  onChange: (known: Known) => void
  /** Without it the notification would only stay pending. */
  missing: 'plan' | 'email'
}

/** A plan of a product is bought for that product, so choosing it chooses both. */
export function ResolveFields({ known, onChange, missing }: ResolveFieldsProps) {
  const texts = useTexts(actionTexts)
  const products = useProducts()
  const plans = usePlans()
  const nameOf = useProductName()
  const choosePlan = (planId: string) => {
    const owner = plans.find((one) => one.id === planId)?.product
    onChange({ ...known, planId, ...(owner && { product: owner }) })
  }
  return (
    <Box sx={{ mt: 2 }}>
      <Choice
        label={texts.plan}
        value={known.planId}
        choices={plans.map(({ id, name, product }) => ({
          value: id,
          label: texts.planOf(name, product === null ? null : nameOf(product)),
        }))}
        onChoose={choosePlan}
        {...(missing === 'plan' ? { required: true } : { none: texts.asSent })}
      />
      <Choice
        label={texts.product}
        value={known.product}
        choices={products.map(({ slug, name }) => ({ value: slug, label: name }))}
        onChoose={(product) => onChange({ ...known, product })}
        none={texts.asSent}
      />
      <TextField
        fullWidth
        type="email"
        autoComplete="off"
        required={missing === 'email'}
        label={texts.email}
        {...(missing !== 'email' && { helperText: texts.emailHelp })}
        value={known.email}
        onChange={({ target }) => onChange({ ...known, email: target.value })}
      />
    </Box>
  )
}

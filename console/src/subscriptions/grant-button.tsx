import { MenuItem, TextField } from '@mui/material'
import { useState } from 'react'
import { adminPath } from '../api/admin-http.ts'
import { useTimeZone } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { endOfDay } from '../kit/days.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { useProductName } from '../kit/use-product-name.ts'
import { usePlans, useProducts } from '../payments/offers.ts'
import { actionTexts } from './action-texts.ts'

const NOTHING = { plan: '', product: '', day: '' }

/** Gives a user a plan without a payment. */
export function GrantButton({ user: { id, name } }: { user: { id: string; name: string } }) {
  const texts = useTexts(actionTexts)
  const zone = useTimeZone()
  const [given, setGiven] = useState(NOTHING)
  const until = endOfDay(given.day, zone)
  const body = {
    user: id,
    plan_id: given.plan,
    ...(given.product !== '' && { product_id: given.product }),
    ...(until !== undefined && { until }),
  }
  return (
    <ActionButton
      label={texts.grant}
      reason="required"
      request={{ path: adminPath('subscriptions'), body }}
      refusals={texts.refusals}
      fields={{ plan_id: texts.grantPlan, product_id: texts.grantProduct, until: texts.grantUntil }}
      onOpen={() => setGiven(NOTHING)}
      explains={
        <>
          {texts.grantExplains(name)}
          <PlanInput plan={given.plan} onChoose={(plan) => setGiven({ ...given, plan, product: '' })} />
          <ProductInput {...given} onChoose={(product) => setGiven({ ...given, product })} />
          <TextField
            fullWidth
            type="date"
            label={texts.grantUntil}
            helperText={texts.grantUntilHelp}
            value={given.day}
            onChange={({ target }) => setGiven({ ...given, day: target.value })}
            slotProps={{ inputLabel: { shrink: true } }}
            sx={{ mt: 2 }}
          />
        </>
      }
    />
  )
}

function PlanInput({ plan, onChoose }: { plan: string; onChoose: (plan: string) => void }) {
  const texts = useTexts(actionTexts)
  const plans = usePlans()
  const nameOf = useProductName()
  return (
    <TextField
      select
      required
      fullWidth
      label={texts.grantPlan}
      value={plan}
      onChange={({ target }) => onChoose(target.value)}
      sx={{ mt: 2 }}
    >
      {plans.map(({ id, name, product }) => (
        <MenuItem key={id} value={id}>
          {product === null ? name : `${name} (${nameOf(product)})`}
        </MenuItem>
      ))}
    </TextField>
  )
}

/** A plan of the operator may be good for one product; a product's own plan is good for that. */
function ProductInput({ plan, product, onChoose }: { plan: string; product: string; onChoose: (product: string) => void }) {
  const texts = useTexts(actionTexts)
  const products = useProducts()
  const isOfOperator = usePlans().some(({ id, product: owner }) => id === plan && owner === null)
  if (!isOfOperator) return undefined
  return (
    <TextField
      select
      fullWidth
      label={texts.grantProduct}
      value={product}
      onChange={({ target }) => onChoose(target.value)}
      slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
      sx={{ mt: 2 }}
    >
      <MenuItem value="">{texts.grantOfFamily}</MenuItem>
      {products.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  )
}

import { MenuItem, TextField } from '@mui/material'
import { useState } from 'react'
import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { DeedButton } from '../kit/deed-button.tsx'
import { usePlans, useProducts } from '../payments/offers.ts'
import { deedTexts } from './deed-texts.ts'
import type { Notification } from './notification.ts'

interface ResolveProps {
  notification: Notification
  refusals: Readonly<Record<string, string>>
}

/** Settles a notification with what the person knows: which plan was bought, for which product, by whom. What stands against it must be said. */
export function ResolveButton({ notification: { id, why }, refusals }: ResolveProps) {
  const texts = useTexts(deedTexts)
  const products = useProducts()
  const plans = usePlans()
  const [planId, setPlanId] = useState('')
  const [product, setProduct] = useState('')
  const [email, setEmail] = useState('')
  const plan = plans.find((one) => one.id === planId)
  const choosePlan = (chosen: string) => {
    setPlanId(chosen)
    const owner = plans.find((one) => one.id === chosen)?.product
    if (owner) setProduct(owner)
  }
  return (
    <DeedButton
      label={texts.resolve}
      request={{
        path: adminPath('notifications', id, 'resolve'),
        body: { ...(plan && { plan: plan.slug }), ...(product !== '' && { product }), ...(email.trim() !== '' && { email: email.trim() }) },
      }}
      refusals={refusals}
      explains={
        <>
          {texts.resolveExplains}
          <TextField
            select
            fullWidth
            required={why !== 'unusable_address'}
            label={texts.plan}
            value={planId}
            onChange={({ target }) => choosePlan(target.value)}
            sx={{ mt: 2 }}
          >
            {why === 'unusable_address' && <MenuItem value="">{texts.asSent}</MenuItem>}
            {plans.map((one) => (
              <MenuItem key={one.id} value={one.id}>
                {texts.planOf(one.name, one.product)}
              </MenuItem>
            ))}
          </TextField>
          <TextField select fullWidth label={texts.product} value={product} onChange={({ target }) => setProduct(target.value)}>
            <MenuItem value="">{texts.asSent}</MenuItem>
            {products.map(({ slug, name }) => (
              <MenuItem key={slug} value={slug}>
                {name}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            fullWidth
            type="email"
            autoComplete="off"
            required={why === 'unusable_address'}
            label={texts.email}
            {...(why !== 'unusable_address' && { helperText: texts.emailHelp })}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </>
      }
    />
  )
}

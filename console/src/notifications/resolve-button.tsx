import { useState } from 'react'
import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { usePlans } from '../payments/offers.ts'
import { actionTexts } from './action-texts.ts'
import type { Notification } from './notification.ts'
import { type Known, ResolveFields } from './resolve-fields.tsx'

interface ResolveProps {
  notification: Notification
  refusals: Readonly<Record<string, string>>
  /** Of somebody who may be the buyer: it is filled in. */
  suggested?: string
}

/** Resolves a notification with the operator's knowledge: the plan, the product, the buyer. */
export function ResolveButton({ notification: { id, why }, refusals, suggested = '' }: ResolveProps) {
  const texts = useTexts(actionTexts)
  const plans = usePlans()
  const [{ planId, product, email }, setKnown] = useState<Known>({ planId: '', product: '', email: suggested })
  const plan = plans.find((one) => one.id === planId)
  const address = email.trim()
  return (
    <ActionButton
      label={suggested === '' ? texts.resolve : texts.resolveWith}
      request={{
        path: adminPath('notifications', id, 'resolve'),
        body: { ...(plan && { plan: plan.slug }), ...(product !== '' && { product }), ...(address !== '' && { email: address }) },
      }}
      refusals={refusals}
      explains={
        <>
          {texts.resolveExplains}
          <ResolveFields known={{ planId, product, email }} onChange={setKnown} missing={why === 'unusable_address' ? 'email' : 'plan'} />
        </>
      }
    />
  )
}

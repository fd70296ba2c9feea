import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { actionTexts } from './action-texts.ts'
import { MoveButton } from './move-button.tsx'
import { actionsOn, type SubscriptionDetails } from './subscription.ts'
import { UnlinkButton } from './unlink-button.tsx'

/** The operator's actions on a subscription that are possible now. */
export function SubscriptionActions({ subscription }: { subscription: SubscriptionDetails }) {
  const texts = useTexts(actionTexts)
  const { end, refund } = actionsOn(subscription)
  const { id } = subscription
  return (
    <>
      <MoveButton subscription={subscription} />
      <UnlinkButton subscription={subscription} />
      {refund && (
        <ActionButton
          label={texts.refund}
          tone="danger"
          reason="required"
          request={{ path: adminPath('subscriptions', id, 'refund') }}
          explains={texts.refundExplains}
          refusals={texts.refusals}
        />
      )}
      {end && (
        <ActionButton
          label={texts.end}
          tone="danger"
          reason="required"
          request={{ path: adminPath('subscriptions', id, 'end') }}
          explains={texts.endExplains}
          refusals={texts.refusals}
        />
      )}
    </>
  )
}

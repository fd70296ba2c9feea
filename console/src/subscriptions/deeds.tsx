import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { DeedButton } from '../kit/deed-button.tsx'
import { deedTexts } from './deed-texts.ts'
import { MoveButton } from './move-button.tsx'
import { deedsOn, type SubscriptionDetails } from './subscription.ts'
import { UnlinkButton } from './unlink-button.tsx'

/** What the operator does about a subscription, as far as it can come to something. */
export function SubscriptionDeeds({ subscription }: { subscription: SubscriptionDetails }) {
  const texts = useTexts(deedTexts)
  const { end, refund } = deedsOn(subscription)
  const { id } = subscription
  return (
    <>
      <MoveButton subscription={subscription} />
      <UnlinkButton subscription={subscription} />
      {refund && (
        <DeedButton
          label={texts.refund}
          tone="danger"
          reason="required"
          request={{ path: adminPath('subscriptions', id, 'refund') }}
          explains={texts.refundExplains}
          refusals={texts.refusals}
        />
      )}
      {end && (
        <DeedButton
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

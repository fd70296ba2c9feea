import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { actionTexts } from './action-texts.ts'

/** Links a subscription to this very user, whom the page has found already. */
export function LinkButton({ subscriptionId, userId }: { subscriptionId: string; userId: string }) {
  const texts = useTexts(actionTexts)
  return (
    <ActionButton
      label={texts.linkTo}
      reason="required"
      request={{ path: adminPath('subscriptions', subscriptionId, 'move'), body: { to: userId } }}
      refusals={texts.refusals}
      explains={texts.linkToExplains}
    />
  )
}

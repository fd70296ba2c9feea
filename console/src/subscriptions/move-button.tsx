import { useState } from 'react'
import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import type { User } from '../users/user.ts'
import { actionTexts } from './action-texts.ts'
import { FindUser } from './find-user.tsx'
import type { Subscription } from './subscription.ts'

/** Links a subscription to a user: for purchases made without an account, or with another address. */
export function MoveButton({ subscription: { id, user_id } }: { subscription: Subscription }) {
  const texts = useTexts(actionTexts)
  const [user, setUser] = useState<User | null>(null)
  const isGuest = user_id === null
  return (
    <ActionButton
      label={isGuest ? texts.merge : texts.move}
      reason="required"
      request={{ path: adminPath('subscriptions', id, 'move'), body: { to: user?.id ?? '' } }}
      refusals={texts.refusals}
      explains={
        <>
          {isGuest ? texts.mergeExplains : texts.moveExplains}
          <FindUser user={user} onChoose={setUser} />
        </>
      }
    />
  )
}

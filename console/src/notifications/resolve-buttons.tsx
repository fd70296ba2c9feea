import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { actionTexts } from './action-texts.ts'
import type { Retried } from './attempts/retried.ts'
import { RetryButton } from './attempts/retry-button.tsx'
import { actionsOn, type Notification } from './notification.ts'
import { ResolveButton } from './resolve-button.tsx'
import { whyTexts } from './why-texts.ts'

/** The operator's actions on a pending notification; nothing if there is none. */
export function ResolveButtons({ notification, onRetried }: { notification: Notification; onRetried: (retried: Retried) => void }) {
  const texts = useTexts(actionTexts)
  const refusals = useResolveRefusals()
  const actions = actionsOn(notification)
  const { id } = notification
  if (actions === 'none') return undefined
  return (
    <>
      {actions === 'resolve' && <ResolveButton notification={notification} refusals={refusals} />}
      <RetryButton notification={notification} onRetried={onRetried} />
      {actions !== 'retry' && (
        <ActionButton
          label={texts.ignore}
          tone="danger"
          reason="required"
          request={{ path: adminPath('notifications', id, 'ignore') }}
          explains={texts.ignoreExplains}
          refusals={refusals}
        />
      )}
    </>
  )
}

/** Resolves a notification with the address of somebody who may be the buyer; nothing where it can't be resolved. */
export function ResolveWith({ notification, email }: { notification: Notification; email: string }) {
  const refusals = useResolveRefusals()
  if (actionsOn(notification) !== 'resolve') return undefined
  return <ResolveButton notification={notification} refusals={refusals} suggested={email} />
}

/** A conflict's reason: it is no longer pending, or why it still is. */
function useResolveRefusals(): Readonly<Record<string, string>> {
  const texts = useTexts(actionTexts)
  const { sentence } = useTexts(whyTexts)
  const isStillPending = Object.entries(sentence).map(([why, labels]) => [why, texts.isStillPending(labels)])
  return { ...Object.fromEntries(isStillPending), not_pending: texts.notPending }
}

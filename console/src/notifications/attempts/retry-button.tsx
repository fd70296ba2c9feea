import { Button } from '@mui/material'
import { useState } from 'react'
import { useRefresh } from 'react-admin'
import { AdminFault } from '../../api/admin-fault.ts'
import { adminPath } from '../../api/admin-http.ts'
import { useCallAdmin } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import type { Notification } from '../notification.ts'
import { attemptTexts } from './attempt-texts.ts'
import type { Retried } from './retried.ts'

interface RetryButtonProps {
  notification: Notification
  onRetried: (retried: Retried) => void
}

/** Tries a notification again, at once: nothing can be lost by it. The page shows what comes of it. */
export function RetryButton({ notification: { id, status }, onRetried }: RetryButtonProps) {
  const texts = useTexts(attemptTexts)
  const callAdmin = useCallAdmin()
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    onRetried({ id, state: 'busy' })
    try {
      await callAdmin({ path: adminPath('notifications', id, 'reprocess'), method: 'POST', body: {} })
      onRetried({ id, state: 'done' })
    } catch (error) {
      const { reason, status: code } = error instanceof AdminFault ? error : {}
      onRetried({ id, state: 'refused', reason: code === 409 ? reason : code === 403 ? 'not_allowed' : undefined })
    }
    setBusy(false)
    refresh()
  }
  return (
    <Button variant={status === 'failed' ? 'contained' : 'outlined'} disabled={isBusy} onClick={() => void retry()}>
      {texts.retry}
    </Button>
  )
}

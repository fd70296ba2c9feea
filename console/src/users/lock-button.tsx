import LockOpen from '@mui/icons-material/LockOpenOutlined'
import Lock from '@mui/icons-material/LockOutlined'
import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { DeedButton } from '../kit/deed-button.tsx'
import { deedTexts } from './deed-texts.ts'
import type { User } from './user.ts'

/** Locks somebody out of everything at once, or lets them in again. */
export function LockButton({ user: { id, name, disabled_at } }: { user: User }) {
  const texts = useTexts(deedTexts)
  if (disabled_at !== null) {
    return (
      <DeedButton
        key="unlock"
        label={texts.unlock}
        icon={<LockOpen />}
        request={{ path: adminPath('users', id, 'enable') }}
        explains={texts.unlockExplains(name)}
      />
    )
  }
  return (
    <DeedButton
      key="lock"
      label={texts.lock}
      icon={<Lock />}
      tone="danger"
      request={{ path: adminPath('users', id, 'disable') }}
      explains={texts.lockExplains(name)}
      refusals={texts.refusals}
    />
  )
}

import LockOpen from '@mui/icons-material/LockOpenOutlined'
import Lock from '@mui/icons-material/LockOutlined'
import { adminPath } from '../../api/admin-http.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import type { User } from '../user.ts'
import { actionTexts } from './action-texts.ts'

/** Disables a user at once everywhere, or enables them again. */
export function LockButton({ user: { id, name, disabled_at } }: { user: User }) {
  const texts = useTexts(actionTexts)
  if (disabled_at !== null) {
    return (
      <ActionButton
        key="unlock"
        label={texts.unlock}
        icon={<LockOpen />}
        request={{ path: adminPath('users', id, 'enable') }}
        explains={texts.unlockExplains(name)}
      />
    )
  }
  return (
    <ActionButton
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

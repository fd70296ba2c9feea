import { useNotify, useRefresh } from 'react-admin'
import { adminPath } from '../../api/admin-http.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import type { UserDetails } from '../user.ts'
import { actionTexts } from './action-texts.ts'

/** Mails a link that verifies the address, or sets a password: it is one link, named by what the user lacks. */
export function SendLinkButton({ user }: { user: UserDetails }) {
  const texts = useTexts(actionTexts)
  const notify = useNotify()
  const refresh = useRefresh()
  if (user.disabled_at !== null) return undefined
  const onDone = () => {
    notify(texts.sent, { type: 'info' })
    refresh()
  }
  const { label, explains } = labelFor(user, texts)
  return (
    <ActionButton
      label={label}
      request={{ path: adminPath('users', user.id, 'send-link') }}
      explains={explains}
      onDone={onDone}
      refusals={texts.refusals}
    />
  )
}

function labelFor({ verified_at, has_password, email }: UserDetails, texts: (typeof actionTexts)['pt-BR']) {
  if (verified_at === null) return { label: texts.sendVerification, explains: texts.sendVerificationExplains(email) }
  if (!has_password) return { label: texts.sendInvitation, explains: texts.sendInvitationExplains(email) }
  return { label: texts.sendLink, explains: texts.sendLinkExplains(email) }
}

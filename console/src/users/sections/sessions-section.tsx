import { adminPath } from '../../api/admin-http.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { ListPart } from '../../kit/list/list-page.tsx'
import { Section } from '../../kit/show/section.tsx'
import type { Session } from '../../sessions/session.ts'
import { useSessionColumns } from '../../sessions/session-columns.tsx'
import { actionTexts } from '../actions/action-texts.ts'
import { useMayActOn } from '../actions/use-may-act-on.ts'
import { userTexts } from '../texts.ts'
import type { UserDetails } from '../user.ts'

/** A user's present and past sessions: ended one by one, or all at once. */
export function SessionsSection({ user }: { user: UserDetails }) {
  const texts = useTexts(userTexts)
  const actions = useTexts(actionTexts)
  const mayWrite = useMayActOn(user)
  const mayEnd = useMayActOn(user, 'sessions:write')
  const columns = useSessionColumns(mayEnd ? 'ends' : 'shows')
  const endAll = (
    <ActionButton
      label={actions.signOut}
      request={{ path: adminPath('users', user.id, 'revoke-sessions') }}
      explains={actions.signOutExplains(user.name)}
    />
  )
  return (
    <Section title={texts.sessions} actions={mayWrite && user.live_sessions > 0 && endAll}>
      <ListPart<Session>
        resource="sessions"
        filter={{ user_id: user.id }}
        label={texts.sessions}
        columns={columns}
        sort={{ field: 'created_at', order: 'DESC' }}
        empty={texts.noSessions}
      />
    </Section>
  )
}

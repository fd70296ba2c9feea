import { adminPath } from '../api/admin-http.ts'
import { useMay, useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import type { Filter } from '../kit/list/list-filters.tsx'
import { ListPage } from '../kit/list/list-page.tsx'
import { Address } from '../kit/show/values.tsx'
import { userPath } from '../users/user.ts'
import type { Session } from './session.ts'
import { useSessionColumns } from './session-columns.tsx'
import { sessionTexts } from './texts.ts'

const METHODS = ['password', 'passkey', 'provider'] as const

/** The sessions: users, times and origins. */
export function SessionList() {
  const texts = useTexts(sessionTexts)
  const columns = useSessionColumns(useMay('sessions:write') ? 'ends' : 'shows')
  const mayRevokeAll = useMay('sessions:revoke-all')
  const maySeeAddresses = useMe().role !== 'viewer'
  const filters: readonly Filter[] = [
    {
      name: 'live',
      label: texts.state,
      kind: 'choice',
      choices: [
        { value: 'true', label: texts.onlyLive },
        { value: 'false', label: texts.onlyOver },
      ],
    },
    {
      name: 'sign_in',
      label: texts.begun,
      kind: 'choice',
      choices: [{ value: 'true', label: texts.bySignIn }],
    },
    {
      name: 'sign_in_method',
      label: texts.method,
      kind: 'choice',
      choices: METHODS.map((value) => ({ value, label: texts.methods[value] })),
    },
    ...(maySeeAddresses ? [{ name: 'ip', label: texts.ip, kind: 'text' } as const] : []),
    { name: 'since', label: texts.since, kind: 'from' },
    { name: 'until', label: texts.until, kind: 'until' },
  ]
  return (
    <ListPage<Session>
      title={texts.title}
      columns={[{ label: texts.user, value: ({ email }) => <Address text={email} /> }, ...columns]}
      filters={filters}
      sort={{ field: 'created_at', order: 'DESC' }}
      pathOf={({ user_id }) => userPath(user_id)}
      empty={texts.empty}
      actions={mayRevokeAll && <RevokeAll />}
    />
  )
}

function RevokeAll() {
  const texts = useTexts(sessionTexts)
  return (
    <ActionButton
      label={texts.revokeAll}
      tone="danger"
      reason="required"
      request={{ path: adminPath('sessions', 'revoke-all') }}
      explains={texts.revokeAllExplains}
    />
  )
}

import { Button } from '@mui/material'
import { Link } from 'react-router-dom'
import { useMay, useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ExportButton } from '../kit/list/export-button.tsx'
import type { Filter } from '../kit/list/list-filters.tsx'
import { ListPage } from '../kit/list/list-page.tsx'
import { Absent, Address, Time } from '../kit/show/values.tsx'
import { userTexts } from './texts.ts'
import { type User, userPath } from './user.ts'
import { isParticular, UserBadges } from './user-badges.tsx'

/** Everyone who has an account, the newest first. */
export function UserList() {
  const texts = useTexts(userTexts)
  const mayCreate = useMay('users:write')
  const maySeeAddresses = useMe().role !== 'viewer'
  return (
    <ListPage<User>
      title={texts.title}
      columns={[
        { label: texts.name, value: ({ name }) => name },
        { label: texts.email, value: ({ email }) => <Address text={email} />, ...(maySeeAddresses && { sortBy: 'email' }) },
        { label: texts.company, value: ({ company_name }) => company_name ?? <Absent /> },
        { label: texts.state, value: (user) => isParticular(user) && <UserBadges user={user} /> },
        { label: texts.createdAt, value: ({ created_at }) => <Time at={created_at} />, sortBy: 'created_at' },
      ]}
      filters={useFilters()}
      sort={{ field: 'created_at', order: 'DESC' }}
      pathOf={({ id }) => userPath(id)}
      empty={texts.empty}
      actions={
        <>
          <ExportButton />
          {mayCreate && (
            <Button component={Link} to="/users/create" variant="contained">
              {texts.create}
            </Button>
          )}
        </>
      }
    />
  )
}

function useFilters(): readonly Filter[] {
  const texts = useTexts(userTexts)
  const { roles } = texts
  const eitherOf = (what: string) => [
    { value: 'true', label: texts.only(what) },
    { value: 'false', label: texts.others },
  ]
  return [
    { name: 'q', label: texts.find, kind: 'text' },
    {
      name: 'disabled',
      label: texts.access,
      kind: 'choice',
      choices: [
        { value: 'true', label: texts.accessLocked },
        { value: 'false', label: texts.accessOpen },
      ],
    },
    {
      name: 'role',
      label: texts.role,
      kind: 'choice',
      choices: (['any', 'owner', 'support', 'viewer'] as const).map((role) => ({ value: role, label: roles[role] })),
    },
    { name: 'producer', label: texts.producer, kind: 'choice', choices: eitherOf(texts.producers) },
    { name: 'beta', label: texts.beta, kind: 'choice', choices: eitherOf(texts.betas) },
    { name: 'created_since', label: texts.createdSince, kind: 'from' },
    { name: 'created_until', label: texts.createdUntil, kind: 'until' },
  ]
}

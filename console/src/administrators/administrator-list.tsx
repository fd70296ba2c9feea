import { Button, Stack } from '@mui/material'
import { Link } from 'react-router-dom'
import { adminPath } from '../api/admin-http.ts'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import type { Column } from '../kit/list/columns.ts'
import { ListPage } from '../kit/list/list-page.tsx'
import { Address, Time } from '../kit/show/values.tsx'
import { userPath } from '../users/user.ts'
import type { Administrator } from './administrator.ts'
import { administratorTexts } from './texts.ts'

/** The administrators. A row leads to the user. */
export function AdministratorList() {
  const texts = useTexts(administratorTexts)
  const mayChange = useMay('administrators:write')
  const actions: Column<Administrator> = { label: texts.actions, value: (administrator) => <Actions administrator={administrator} /> }
  return (
    <ListPage<Administrator>
      title={texts.title}
      columns={[
        { label: texts.name, value: ({ name }) => name },
        { label: texts.email, value: ({ email }) => <Address text={email} />, sortBy: 'email' },
        { label: texts.role, value: ({ role }) => texts.roles[role] },
        { label: texts.createdAt, value: ({ created_at }) => <Time at={created_at} />, sortBy: 'created_at' },
        ...(mayChange ? [actions] : []),
      ]}
      sort={{ field: 'created_at', order: 'ASC' }}
      empty={texts.empty}
      pathOf={({ id }) => userPath(id)}
      actions={
        mayChange && (
          <Button component={Link} to="/administrators/create" variant="contained">
            {texts.add}
          </Button>
        )
      }
    />
  )
}

function Actions({ administrator: { id, name } }: { administrator: Administrator }) {
  const texts = useTexts(administratorTexts)
  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1 }}>
      <Button component={Link} to={`/administrators/${encodeURIComponent(id)}`} variant="outlined" aria-label={texts.changeOf(name)}>
        {texts.change}
      </Button>
      <ActionButton
        label={texts.remove}
        tone="danger"
        request={{ path: adminPath('administrators', id), method: 'DELETE' }}
        explains={texts.removeExplains(name)}
        refusals={texts.refusals}
      />
    </Stack>
  )
}

import { Typography } from '@mui/material'
import { ResourceContextProvider } from 'react-admin'
import { adminPath } from '../api/admin-http.ts'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import type { Column } from '../kit/list/columns.ts'
import { ListPage } from '../kit/list/list-page.tsx'
import { StatusChip } from '../kit/show/status-chip.tsx'
import { Time } from '../kit/show/values.tsx'
import type { DescribedClient } from './described-client.ts'
import { describedClientTexts } from './texts.ts'

/** The clients that describe themselves: who they are by their address, when they were used, and whether they are taken. */
export function DescribedClientList() {
  const texts = useTexts(describedClientTexts)
  const mayChange = useMay('products:write')
  const columns: ReadonlyArray<Column<DescribedClient>> = [
    { label: texts.client, value: (client) => <Address client={client} /> },
    {
      label: texts.state,
      value: ({ state }) => <StatusChip tone={state === 'allowed' ? 'good' : 'bad'} label={texts.states[state]} />,
    },
    { label: texts.sessions, value: ({ sessions }) => sessions },
    { label: texts.firstSeen, value: ({ first_seen_at }) => <Time at={first_seen_at} /> },
    { label: texts.lastSeen, value: ({ last_seen_at }) => <Time at={last_seen_at} />, sortBy: 'last_seen_at' },
  ]
  const actions: Column<DescribedClient> = { label: texts.actions, value: (client) => <Actions client={client} /> }
  return (
    <ResourceContextProvider value="described-clients">
      <ListPage<DescribedClient>
        title={texts.title}
        about={texts.about}
        columns={mayChange ? [...columns, actions] : columns}
        sort={{ field: 'last_seen_at', order: 'DESC' }}
        empty={texts.empty}
      />
    </ResourceContextProvider>
  )
}

/** The host first: it is the one thing that is certain. */
function Address({ client: { client_id } }: { client: DescribedClient }) {
  return (
    <>
      {URL.canParse(client_id) ? new URL(client_id).host : client_id}
      <Typography component="div" variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        <code>{client_id}</code>
      </Typography>
    </>
  )
}

function Actions({ client: { id, client_id, state, sessions } }: { client: DescribedClient }) {
  const texts = useTexts(describedClientTexts)
  const path = (action: string) => adminPath('described-clients', id, action)
  if (state === 'refused')
    return <ActionButton label={texts.allow} request={{ path: path('allow') }} explains={texts.allowExplains(client_id)} />
  return (
    <>
      {sessions > 0 && <ActionButton label={texts.revoke} request={{ path: path('revoke') }} explains={texts.revokeExplains(client_id)} />}
      <ActionButton label={texts.refuse} tone="danger" request={{ path: path('refuse') }} explains={texts.refuseExplains(client_id)} />
    </>
  )
}

import { Box, Button, Typography } from '@mui/material'
import { Link } from 'react-router-dom'
import { adminPath } from '../api/admin-http.ts'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import type { Column } from '../kit/list/columns.ts'
import { ListPage } from '../kit/list/list-page.tsx'
import { StatusChip, type Tone } from '../kit/show/status-chip.tsx'
import { Time } from '../kit/show/values.tsx'
import { tokenTexts } from './texts.ts'
import type { Token } from './token.ts'
import { byResource } from './token-scopes.ts'
import { useScopeLabels } from './use-scope-labels.ts'

const tones = { live: 'good', expired: 'neutral', revoked: 'neutral' } as const satisfies Record<Token['state'], Tone>

/** The keys of the operator's scripts. */
export function TokenList() {
  const texts = useTexts(tokenTexts)
  const mayWrite = useMay('tokens:write')
  const columns: ReadonlyArray<Column<Token>> = [
    { label: texts.name, value: (token) => <Name token={token} /> },
    { label: texts.scopes, value: (token) => <Scopes token={token} /> },
    { label: texts.state, value: ({ state }) => <StatusChip tone={tones[state]} label={texts.states[state]} /> },
    { label: texts.createdAt, value: ({ created_at }) => <Time at={created_at} />, sortBy: 'created_at' },
    { label: texts.expiresAt, value: ({ expires_at }) => (expires_at === null ? texts.never : <Time at={expires_at} />) },
  ]
  const revoke: Column<Token> = { label: texts.actions, value: (token) => token.state === 'live' && <Revoke token={token} /> }
  return (
    <ListPage<Token>
      title={texts.title}
      columns={mayWrite ? [...columns, revoke] : columns}
      sort={{ field: 'created_at', order: 'DESC' }}
      empty={texts.empty}
      actions={
        mayWrite && (
          <Button component={Link} to="/tokens/create" variant="contained">
            {texts.create}
          </Button>
        )
      }
    />
  )
}

function Name({ token: { name, hint } }: { token: Token }) {
  return (
    <>
      {name}
      <Typography component="div" variant="body2" color="textSecondary">
        <code>{hint}</code>
      </Typography>
    </>
  )
}

/** The role, and its part if limited. */
function Scopes({ token: { role, scopes } }: { token: Token }) {
  const texts = useTexts(tokenTexts)
  const labels = useScopeLabels()
  return (
    <>
      {texts.roles[role]}: {scopes.length === 0 && texts.allOfRole}
      {byResource(scopes).map(([resource, some]) => (
        <Box key={resource}>
          {labels.resourceOf(resource)}: {some.map(labels.actionOf).join(', ')}
        </Box>
      ))}
    </>
  )
}

function Revoke({ token: { id, name } }: { token: Token }) {
  const texts = useTexts(tokenTexts)
  return (
    <ActionButton
      label={texts.revoke}
      tone="danger"
      request={{ path: adminPath('tokens', id), method: 'DELETE' }}
      explains={texts.revokeExplains(name)}
    />
  )
}

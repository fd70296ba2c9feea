import { Button, Stack } from '@mui/material'
import { useState } from 'react'
import { useRedirect, useRefresh } from 'react-admin'
import { Link } from 'react-router-dom'
import { adminPath } from '../api/admin-http.ts'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { SecretOnce } from '../kit/form/secret-once.tsx'
import { TestButton } from './deliveries/test-button.tsx'
import type { Endpoint } from './endpoint.ts'
import { endpointTexts } from './texts.ts'

/** The actions of an owner on an endpoint; others see none of them. */
export function EndpointActions({ endpoint: { id, url, state } }: { endpoint: Endpoint }) {
  const texts = useTexts(endpointTexts)
  const mayChange = useMay('endpoints:write')
  const redirect = useRedirect()
  const refresh = useRefresh()
  const [secret, setSecret] = useState<string>()
  if (!mayChange) return undefined
  const onRotated = ({ secret: fresh }: { secret: string }) => {
    setSecret(fresh)
    refresh()
  }
  return (
    <>
      <Stack spacing={1} useFlexGap sx={{ mt: 2, flexDirection: 'row', flexWrap: 'wrap', alignItems: 'flex-start' }}>
        <TestButton id={id} />
        <Button component={Link} to={`/endpoints/${encodeURIComponent(id)}`} variant="outlined">
          {texts.edit}
        </Button>
        <ActionButton<{ secret: string }>
          label={texts.rotate}
          request={{ path: adminPath('endpoints', id, 'rotate-secret') }}
          explains={texts.rotateExplains}
          onDone={onRotated}
        />
        {state === 'disabled' ? (
          <ActionButton label={texts.enable} request={{ path: adminPath('endpoints', id, 'enable') }} explains={texts.enableExplains} />
        ) : (
          <ActionButton label={texts.disable} request={{ path: adminPath('endpoints', id, 'disable') }} explains={texts.disableExplains} />
        )}
        <ActionButton
          label={texts.remove}
          tone="danger"
          request={{ path: adminPath('endpoints', id), method: 'DELETE' }}
          explains={texts.removeExplains(url)}
          onDone={() => redirect('/endpoints')}
        />
      </Stack>
      {secret !== undefined && (
        <Stack sx={{ mt: 2 }}>
          <SecretOnce label={texts.newSecret} secret={secret} onKept={() => setSecret(undefined)} />
        </Stack>
      )}
    </>
  )
}

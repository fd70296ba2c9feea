import { Button } from '@mui/material'
import { Link } from 'react-router-dom'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ListPage } from '../kit/list/list-page.tsx'
import { Time } from '../kit/show/values.tsx'
import { type IdentityProvider, providerPath } from './provider.ts'
import { providerTexts } from './texts.ts'

/** The identity providers. */
export function ProviderList() {
  const texts = useTexts(providerTexts)
  const mayCreate = useMay('identity-providers:write')
  return (
    <ListPage<IdentityProvider>
      title={texts.title}
      columns={[
        { label: texts.name, value: ({ name }) => name, sortBy: 'name' },
        { label: texts.id, value: ({ id }) => <code>{id}</code> },
        { label: texts.issuer, value: ({ issuer }) => issuer },
        { label: texts.createdAt, value: ({ created_at }) => <Time at={created_at} />, sortBy: 'created_at' },
      ]}
      sort={{ field: 'name', order: 'ASC' }}
      pathOf={({ id }) => providerPath(id)}
      empty={texts.empty}
      actions={
        mayCreate && (
          <Button component={Link} to="/identity-providers/create" variant="contained">
            {texts.create}
          </Button>
        )
      }
    />
  )
}

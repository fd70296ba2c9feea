import { Button, Typography } from '@mui/material'
import { Link } from 'react-router-dom'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ListPart } from '../kit/list/list-page.tsx'
import { Section } from '../kit/show/section.tsx'
import { Time } from '../kit/show/values.tsx'
import { EndpointChip } from './deliveries/chips.tsx'
import { type Endpoint, endpointPath } from './endpoint.ts'
import { endpointTexts } from './texts.ts'
import { Waiting } from './waiting.tsx'

/** The endpoints of one app, on its page. */
export function EndpointsSection({ product: { slug } }: { product: { slug: string } }) {
  const texts = useTexts(endpointTexts)
  const mayCreate = useMay('endpoints:write')
  return (
    <Section
      title={texts.title}
      actions={
        mayCreate && (
          <Button component={Link} to={`/endpoints/create?source=${encodeURIComponent(JSON.stringify({ product: slug }))}`} size="small">
            {texts.create}
          </Button>
        )
      }
    >
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {texts.aboutOfProduct}
      </Typography>
      <ListPart<Endpoint>
        resource="endpoints"
        filter={{ product: slug }}
        label={texts.title}
        sort={{ field: 'created_at', order: 'ASC' }}
        columns={[
          { label: texts.url, value: ({ url, description }) => description || url },
          { label: texts.state, value: (endpoint) => <EndpointChip endpoint={endpoint} /> },
          { label: texts.lastSuccess, value: ({ last_success_at }) => <Time at={last_success_at} /> },
          { label: texts.waiting, value: ({ waiting }) => <Waiting count={waiting} /> },
        ]}
        pathOf={({ id }) => endpointPath(id)}
        empty={texts.emptyOfProduct}
      />
    </Section>
  )
}

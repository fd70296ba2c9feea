import { Button } from '@mui/material'
import { Link } from 'react-router-dom'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ListPage } from '../kit/list/list-page.tsx'
import { Time } from '../kit/show/values.tsx'
import { useProductName } from '../kit/use-product-name.ts'
import { useProducts } from '../payments/offers.ts'
import { EndpointChip } from './deliveries/chips.tsx'
import { type Endpoint, endpointPath, endpointStates } from './endpoint.ts'
import { endpointTexts } from './texts.ts'
import { Waiting } from './waiting.tsx'

/** Every address that events are delivered to: the operator's, and those of products. */
export function EndpointList() {
  const texts = useTexts(endpointTexts)
  const nameOf = useProductName()
  const products = useProducts()
  const mayCreate = useMay('endpoints:write')
  return (
    <ListPage<Endpoint>
      title={texts.title}
      about={texts.about}
      columns={[
        { label: texts.url, value: ({ url, description }) => description || url },
        { label: texts.hears, value: ({ product }) => (product === null ? texts.everyProduct : nameOf(product)) },
        { label: texts.state, value: (endpoint) => <EndpointChip endpoint={endpoint} /> },
        { label: texts.lastSuccess, value: ({ last_success_at }) => <Time at={last_success_at} /> },
        { label: texts.waiting, value: ({ waiting }) => <Waiting count={waiting} /> },
        { label: texts.createdAt, value: ({ created_at }) => <Time at={created_at} />, sortBy: 'created_at' },
      ]}
      filters={[
        {
          name: 'product',
          label: texts.product,
          kind: 'choice',
          choices: products.map(({ slug, name }) => ({ value: slug, label: name })),
        },
        {
          name: 'state',
          label: texts.state,
          kind: 'choice',
          choices: endpointStates.map((value) => ({ value, label: texts.states[value] })),
        },
      ]}
      sort={{ field: 'created_at', order: 'ASC' }}
      pathOf={({ id }) => endpointPath(id)}
      empty={texts.empty}
      actions={
        mayCreate && (
          <Button component={Link} to="/endpoints/create" variant="contained">
            {texts.create}
          </Button>
        )
      }
    />
  )
}

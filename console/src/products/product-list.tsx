import { Button } from '@mui/material'
import { Link } from 'react-router-dom'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ListPage } from '../kit/list/list-page.tsx'
import { Time } from '../kit/show/values.tsx'
import { audiences, checkouts, type Product, productPath } from './product.ts'
import { productTexts } from './texts.ts'

/** The apps that are registered. */
export function ProductList() {
  const texts = useTexts(productTexts)
  const mayCreate = useMay('products:write')
  const create = mayCreate && (
    <Button component={Link} to="/products/create" variant="contained">
      {texts.create}
    </Button>
  )
  return (
    <ListPage<Product>
      title={texts.title}
      columns={[
        { label: texts.name, value: ({ name }) => name, sortBy: 'name' },
        { label: texts.slug, value: ({ slug }) => <code>{slug}</code>, sortBy: 'slug' },
        { label: texts.audience, value: ({ audience }) => texts.audiences[audience] },
        { label: texts.checkout, value: ({ checkout }) => texts.checkouts[checkout] },
        { label: texts.createdAt, value: ({ created_at }) => <Time at={created_at} />, sortBy: 'created_at' },
      ]}
      filters={[
        { name: 'q', label: texts.find, kind: 'text' },
        {
          name: 'audience',
          label: texts.audience,
          kind: 'choice',
          choices: audiences.map((value) => ({ value, label: texts.audiences[value] })),
        },
        {
          name: 'checkout',
          label: texts.checkout,
          kind: 'choice',
          choices: checkouts.map((value) => ({ value, label: texts.checkouts[value] })),
        },
      ]}
      sort={{ field: 'name', order: 'ASC' }}
      pathOf={({ id }) => productPath(id)}
      empty={texts.empty}
      actions={create}
    />
  )
}

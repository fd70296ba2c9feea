import { Button } from '@mui/material'
import { Link } from 'react-router-dom'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ListPage } from '../kit/list/list-page.tsx'
import { Absent, Money } from '../kit/show/values.tsx'
import { useProductName } from '../kit/use-product-name.ts'
import { labelOf } from '../payments/label-of.ts'
import { useProducts } from '../payments/offers.ts'
import { paymentTexts } from '../payments/payment-texts.ts'
import type { Plan } from './plan.ts'
import { planTexts } from './texts.ts'

/** The plans for sale. */
export function PlanList() {
  const texts = useTexts(planTexts)
  const mayEdit = useMay('plans:write')
  const { sources } = useTexts(paymentTexts)
  const products = useProducts()
  const nameOf = useProductName()
  return (
    <ListPage<Plan>
      title={texts.title}
      about={texts.about}
      columns={[
        { label: texts.name, value: ({ name }) => name, sortBy: 'name' },
        { label: texts.slug, value: ({ slug }) => <code>{slug}</code>, sortBy: 'slug' },
        { label: texts.price, value: ({ price }) => <Money centavos={price} />, sortBy: 'price' },
        { label: texts.product, value: ({ product }) => (product === null ? texts.ofOperator : nameOf(product)) },
        {
          label: texts.boughtBy,
          value: ({ gateway_refs }) =>
            gateway_refs.map(({ gateway, ref }) => `${labelOf(sources, gateway)}: ${ref}`).join(', ') || <Absent />,
        },
      ]}
      sort={{ field: 'price', order: 'ASC' }}
      filters={[
        { name: 'q', label: texts.find, kind: 'text' },
        {
          name: 'product',
          label: texts.product,
          kind: 'choice',
          choices: products.map(({ slug, name }) => ({ value: slug, label: name })),
        },
      ]}
      empty={texts.empty}
      actions={
        mayEdit && (
          <Button component={Link} to="/plans/create" variant="contained">
            {texts.create}
          </Button>
        )
      }
      {...(mayEdit && { pathOf: ({ id }) => `/plans/${encodeURIComponent(id)}` })}
    />
  )
}

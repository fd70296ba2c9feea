import { SelectInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { CreatePage } from '../kit/form/create-page.tsx'
import { useProducts } from '../payments/offers.ts'
import type { Plan } from './plan.ts'
import { NameInput, PlanFields } from './plan-fields.tsx'
import { SlugInput } from './slug-input.tsx'
import { planTexts } from './texts.ts'

/** A plan of the operator's, or of one product. */
export function PlanCreate() {
  const texts = useTexts(planTexts)
  const products = useProducts()
  return (
    <CreatePage<Plan> back="/plans" title={texts.create} pathOf={() => '/plans'}>
      <NameInput />
      <SlugInput />
      <SelectInput
        source="product"
        label={texts.product}
        helperText={texts.productHelp}
        choices={products.map(({ slug, name }) => ({ id: slug, name: `${name} (${slug})` }))}
        translateChoice={false}
        emptyText={texts.ofOperator}
      />
      <PlanFields />
    </CreatePage>
  )
}

import { useTexts } from '../i18n/use-texts.ts'
import { CreatePage } from '../kit/form/create-page.tsx'
import { ProductInput } from '../payments/product-input.tsx'
import type { Plan } from './plan.ts'
import { NameInput, PlanFields } from './plan-fields.tsx'
import { SlugInput } from './slug-input.tsx'
import { planTexts } from './texts.ts'

/** A plan of the operator's, or of one product. */
export function PlanCreate() {
  const texts = useTexts(planTexts)
  return (
    <CreatePage<Plan> back="/plans" title={texts.create} pathOf={() => '/plans'}>
      <NameInput />
      <SlugInput />
      <ProductInput label={texts.product} help={texts.productHelp} none={texts.ofOperator} />
      <PlanFields />
    </CreatePage>
  )
}

import { required, TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { CreatePage } from '../kit/create-page.tsx'
import type { Plan } from './plan.ts'
import { PlanFields } from './plan-fields.tsx'
import { planTexts } from './texts.ts'

const isRequired = required()

/** A plan of the operator's, or of one product. */
export function PlanCreate() {
  const texts = useTexts(planTexts)
  return (
    <CreatePage<Plan> back="/plans" title={texts.create} pathOf={() => '/plans'}>
      <TextInput source="slug" label={texts.slug} validate={isRequired} />
      <TextInput source="product" label={texts.productSlug} helperText={texts.productHelp} />
      <PlanFields />
    </CreatePage>
  )
}

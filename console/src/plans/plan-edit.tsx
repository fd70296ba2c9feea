import { ArrayInput, minValue, NumberInput, required, SimpleFormIterator, TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { EditPage } from '../kit/edit-page.tsx'
import type { Plan } from './plan.ts'
import { planTexts } from './texts.ts'

const isRequired = required()
const isPrice = [required(), minValue(0)]

/** A plan's name, price and what buys it. Its slug names it in addresses and stays. */
export function PlanEdit() {
  const texts = useTexts(planTexts)
  return (
    <EditPage<Plan>
      back="/plans"
      title={({ name }) => name}
      labels={{ name: texts.name, price: texts.price, gateway_refs: texts.boughtBy }}
    >
      <TextInput source="slug" label={texts.slug} readOnly />
      <TextInput source="name" label={texts.name} validate={isRequired} />
      <NumberInput source="price" label={texts.priceInput} helperText={texts.priceHelp} validate={isPrice} min={0} step={1} />
      <ArrayInput source="gateway_refs" label={texts.boughtBy}>
        <SimpleFormIterator inline disableReordering>
          <TextInput source="gateway" label={texts.gateway} validate={isRequired} helperText={false} />
          <TextInput source="ref" label={texts.ref} validate={isRequired} helperText={false} />
        </SimpleFormIterator>
      </ArrayInput>
    </EditPage>
  )
}

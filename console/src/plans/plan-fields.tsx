import { ArrayInput, minValue, NumberInput, required, SimpleFormIterator, TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { planTexts } from './texts.ts'

const isRequired = required()
const isPrice = [required(), minValue(0)]

/** What can be changed of a plan. */
export function PlanFields() {
  const texts = useTexts(planTexts)
  return (
    <>
      <TextInput source="name" label={texts.name} validate={isRequired} />
      <NumberInput source="price" label={texts.priceInput} helperText={texts.priceHelp} validate={isPrice} min={0} step={1} />
      <ArrayInput source="gateway_refs" label={texts.boughtBy}>
        <SimpleFormIterator inline disableReordering>
          <TextInput source="gateway" label={texts.gateway} validate={isRequired} helperText={false} />
          <TextInput source="ref" label={texts.ref} validate={isRequired} helperText={false} />
        </SimpleFormIterator>
      </ArrayInput>
    </>
  )
}

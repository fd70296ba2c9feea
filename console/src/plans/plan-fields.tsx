import { required, SelectInput, TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { GatewayRefs } from './gateway-refs.tsx'
import { PriceInput } from './price-input.tsx'
import { planTexts } from './texts.ts'

const isRequired = required()

/** A plan's name, that stands first; the form's other fields follow it. */
export function NameInput() {
  const texts = useTexts(planTexts)
  return <TextInput source="name" label={texts.name} validate={isRequired} helperText={false} />
}

/** The other changeable fields of a plan. */
export function PlanFields() {
  return (
    <>
      <PriceInput />
      <BelowPrice />
      <GatewayRefs />
    </>
  )
}

/** The choice whether a payment below the price counts, or is pending for the operator. */
function BelowPrice() {
  const texts = useTexts(planTexts)
  return (
    <SelectInput
      source="below_price"
      label={texts.belowPrice}
      helperText={texts.belowPriceHelp}
      choices={Object.entries(texts.belowPrices).map(([id, name]) => ({ id, name }))}
      translateChoice={false}
      defaultValue="apply"
      validate={isRequired}
    />
  )
}

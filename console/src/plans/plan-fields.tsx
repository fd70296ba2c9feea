import { ArrayInput, minValue, NumberInput, required, SelectInput, SimpleFormIterator, TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { paymentTexts } from '../payments/payment-texts.ts'
import { planTexts } from './texts.ts'

const isRequired = required()
const isPrice = [required(), minValue(0)]
const gateways = ['stripe', 'mercadopago', 'asaas', 'pagarme'] as const

/** What can be changed of a plan. */
export function PlanFields() {
  const texts = useTexts(planTexts)
  const { sources } = useTexts(paymentTexts)
  return (
    <>
      <TextInput source="name" label={texts.name} validate={isRequired} helperText={false} />
      <NumberInput
        source="price"
        label={texts.priceInput}
        helperText={texts.priceHelp}
        validate={isPrice}
        min={0}
        step={0.01}
        format={toReais}
        parse={toCentavos}
      />
      <ArrayInput source="gateway_refs" label={texts.boughtBy} helperText={texts.boughtByHelp}>
        <SimpleFormIterator inline disableReordering>
          <SelectInput
            source="gateway"
            label={texts.gateway}
            choices={gateways.map((id) => ({ id, name: sources[id] }))}
            translateChoice={false}
            validate={isRequired}
            helperText={false}
          />
          <TextInput source="ref" label={texts.ref} validate={isRequired} helperText={false} />
        </SimpleFormIterator>
      </ArrayInput>
    </>
  )
}

/** Forms show reais; the API counts centavos. */
function toReais(centavos: number | null | undefined): string {
  return typeof centavos === 'number' ? String(centavos / 100) : ''
}

/** What was typed, as a number where it is one. */
function toCentavos(typed: unknown): number | null {
  return typeof typed === 'number' ? Math.round(typed * 100) : null
}

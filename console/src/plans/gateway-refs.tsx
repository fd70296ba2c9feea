import Add from '@mui/icons-material/Add'
import { Button } from '@mui/material'
import { ArrayInput, required, SelectInput, SimpleFormIterator, TextInput, useSimpleFormIterator } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { paymentTexts } from '../payments/payment-texts.ts'
import { planTexts } from './texts.ts'

const isRequired = required()
const gateways = ['stripe', 'mercadopago', 'asaas', 'pagarme'] as const

/** The gateways' ids of the things that buy the plan. */
export function GatewayRefs() {
  const texts = useTexts(planTexts)
  const { sources } = useTexts(paymentTexts)
  return (
    <ArrayInput source="gateway_refs" label={texts.boughtBy} helperText={texts.boughtByHelp} sx={{ mt: 2 }}>
      <SimpleFormIterator inline disableReordering disableClear addButton={<AddRef />}>
        <SelectInput
          source="gateway"
          label={texts.gateway}
          choices={gateways.map((id) => ({ id, name: sources[id] }))}
          translateChoice={false}
          validate={isRequired}
          helperText={false}
        />
        <TextInput source="ref" label={texts.ref} validate={isRequired} helperText={texts.refHelp} />
      </SimpleFormIterator>
    </ArrayInput>
  )
}

function AddRef() {
  const texts = useTexts(planTexts)
  const { add } = useSimpleFormIterator()
  return (
    <Button size="small" startIcon={<Add />} onClick={() => add()}>
      {texts.addRef}
    </Button>
  )
}

import { Typography } from '@mui/material'
import {
  BooleanInput,
  CheckboxGroupInput,
  FormDataConsumer,
  maxLength,
  maxValue,
  minValue,
  NumberInput,
  required,
  SelectInput,
  TextInput,
  useRecordContext,
} from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { EditPage } from '../kit/form/edit-page.tsx'
import { RecordManagedBy } from '../kit/show/managed-by.tsx'
import { paymentTexts } from '../payments/payment-texts.ts'
import { checkouts, foreigners, handoffs, methods, type ProductDetails, productScopes, requirements } from './product.ts'
import { productTexts } from './texts.ts'

const MAX_GRACE_DAYS = 60
const isName = [required(), maxLength(100)]
const isRequired = required()
const isDays = [required(), minValue(0), maxValue(MAX_GRACE_DAYS)]

/** The changeable fields of an app. Addresses, keys and gateways are changed on its page. Its slug and audience stay. */
export function ProductEdit() {
  const texts = useTexts(productTexts)
  const { methods: names } = useTexts(paymentTexts)
  return (
    <EditPage<ProductDetails>
      back="/products"
      title={({ name }) => texts.editTitle(name)}
      labels={{
        name: texts.name,
        checkout: texts.checkout,
        handoff: texts.handoff,
        scopes: texts.scopes,
        requires: texts.requires,
        foreigners: texts.foreigners,
        query_key_allowed: texts.queryKey,
        grace_days: texts.grace,
      }}
      kinds={{
        checkout: texts.checkouts,
        handoff: texts.handoffs,
        scopes: texts.scopeNames,
        requires: texts.requirementNames,
        foreigners: texts.foreignerNames,
        grace_days: names,
      }}
    >
      <RecordManagedBy kind="product" />
      <TextInput source="name" label={texts.name} validate={isName} helperText={false} />
      <SelectInput
        source="checkout"
        label={texts.checkout}
        choices={checkouts.map((id) => ({ id, name: texts.checkouts[id] }))}
        translateChoice={false}
        validate={isRequired}
        helperText={false}
      />
      <HandoffInput />
      <CheckboxGroupInput
        source="scopes"
        label={texts.scopes}
        choices={productScopes.map((id) => ({ id, name: texts.scopeNames[id] }))}
        translateChoice={false}
        helperText={false}
      />
      <RequirementInputs />
      <BooleanInput source="query_key_allowed" label={texts.queryKey} helperText={texts.queryKeyHelp} />
      <GraceInputs />
    </EditPage>
  )
}

function RequirementInputs() {
  const texts = useTexts(productTexts)
  return (
    <>
      <CheckboxGroupInput
        source="requires"
        label={texts.requires}
        choices={requirements.map((id) => ({ id, name: texts.requirementNames[id] }))}
        translateChoice={false}
        helperText={texts.requiresHelp}
      />
      <FormDataConsumer<ProductDetails>>
        {({ formData }) =>
          formData.requires?.includes('tax_id') && (
            <SelectInput
              source="foreigners"
              label={texts.foreigners}
              choices={foreigners.map((id) => ({ id, name: texts.foreignerNames[id] }))}
              translateChoice={false}
              validate={isRequired}
              helperText={false}
            />
          )
        }
      </FormDataConsumer>
    </>
  )
}

function HandoffInput() {
  const texts = useTexts(productTexts)
  const isExternal = useRecordContext<ProductDetails>()?.audience === 'external'
  return (
    <SelectInput
      source="handoff"
      label={texts.handoff}
      choices={handoffs.map((id) => ({ id, name: texts.handoffs[id] }))}
      translateChoice={false}
      validate={isRequired}
      disabled={isExternal}
      helperText={isExternal && texts.handoffExternal}
    />
  )
}

function GraceInputs() {
  const texts = useTexts(productTexts)
  const { methods: names } = useTexts(paymentTexts)
  return (
    <>
      <Typography variant="h3" component="h2" sx={{ mt: 2 }}>
        {texts.grace}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {texts.graceHelp}
      </Typography>
      {methods.map((method) => (
        <NumberInput
          key={method}
          source={`grace_days.${method}`}
          label={names[method]}
          validate={isDays}
          min={0}
          max={MAX_GRACE_DAYS}
          step={1}
          helperText={false}
        />
      ))}
    </>
  )
}

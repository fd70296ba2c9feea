import { TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { EditPage } from '../kit/form/edit-page.tsx'
import { RecordManagedBy } from '../kit/show/managed-by.tsx'
import { paymentTexts } from '../payments/payment-texts.ts'
import type { Plan } from './plan.ts'
import { NameInput, PlanFields } from './plan-fields.tsx'
import { planTexts } from './texts.ts'

/** A plan's name, price and gateway ids. Its slug is part of addresses and stays. */
export function PlanEdit() {
  const texts = useTexts(planTexts)
  const { sources } = useTexts(paymentTexts)
  return (
    <EditPage<Plan>
      back="/plans"
      title={({ name }) => name}
      labels={{ name: texts.name, price: texts.price, below_price: texts.belowPrice, gateway_refs: texts.boughtBy }}
      kinds={{ price: 'money', below_price: texts.belowPrices, gateway_refs: { ...sources, gateway: texts.gateway, ref: texts.ref } }}
    >
      <RecordManagedBy kind="plan" />
      <TextInput source="slug" label={texts.slug} readOnly helperText={false} />
      <NameInput />
      <PlanFields />
    </EditPage>
  )
}

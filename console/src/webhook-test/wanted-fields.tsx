import { TextField } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { FormFields } from '../kit/form/form-fields.tsx'
import { Choice } from '../payments/choice.tsx'
import { useProducts } from '../payments/offers.ts'
import { eventOf, events, variantOf, variants, type Wanted } from './tested.ts'
import { testTexts } from './texts.ts'

/** The content of the test. An event has one variant, and a variant begins with its own event. */
export function WantedFields({ wanted, onChange }: { wanted: Wanted; onChange: (wanted: Wanted) => void }) {
  const texts = useTexts(testTexts)
  const products = useProducts()
  const chooseVariant = (chosen: string) => {
    const variant = variants.find((one) => one === chosen)
    if (variant && variant !== variantOf(wanted.event)) onChange({ ...wanted, event: eventOf[variant] })
  }
  const chooseEvent = (chosen: string) => {
    const event = events.find((one) => one === chosen)
    if (event) onChange({ ...wanted, event })
  }
  return (
    <FormFields>
      <Choice
        label={texts.variant}
        value={variantOf(wanted.event)}
        choices={variants.map((variant) => ({ value: variant, label: texts.variants[variant] }))}
        onChoose={chooseVariant}
      />
      <Choice
        label={texts.event}
        value={wanted.event}
        choices={events.map((event) => ({ value: event, label: event }))}
        onChoose={chooseEvent}
      />
      <Choice
        label={texts.product}
        value={wanted.product}
        choices={products.map(({ slug, name }) => ({ value: slug, label: name }))}
        onChoose={(product) => onChange({ ...wanted, product })}
        none={texts.noProduct}
      />
      <TextField
        type="email"
        autoComplete="off"
        label={texts.email}
        helperText={texts.emailHelp}
        value={wanted.email}
        onChange={({ target }) => onChange({ ...wanted, email: target.value })}
      />
    </FormFields>
  )
}

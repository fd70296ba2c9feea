import { TextField } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { FormFields } from '../kit/form-fields.tsx'
import { Choice } from '../payments/choice.tsx'
import { useProducts } from '../payments/offers.ts'
import { eventOf, variants, type Wanted } from './tested.ts'
import { testTexts } from './texts.ts'

/** What the test pretends. A variant has one event and an event one variant, so each choice makes the other. */
export function WantedFields({ wanted, onChange }: { wanted: Wanted; onChange: (wanted: Wanted) => void }) {
  const texts = useTexts(testTexts)
  const products = useProducts()
  const chooseVariant = (chosen: string) => {
    const variant = variants.find((one) => one === chosen || eventOf[one] === chosen)
    if (variant) onChange({ ...wanted, variant })
  }
  return (
    <FormFields>
      <Choice
        label={texts.variant}
        value={wanted.variant}
        choices={variants.map((variant) => ({ value: variant, label: texts.variants[variant] }))}
        onChoose={chooseVariant}
      />
      <Choice
        label={texts.event}
        value={eventOf[wanted.variant]}
        choices={variants.map((variant) => ({ value: eventOf[variant], label: eventOf[variant] }))}
        onChoose={chooseVariant}
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

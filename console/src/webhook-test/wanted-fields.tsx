import { MenuItem, TextField } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { FormFields } from '../kit/form-fields.tsx'
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
      <TextField select label={texts.variant} value={wanted.variant} onChange={({ target }) => chooseVariant(target.value)}>
        {variants.map((variant) => (
          <MenuItem key={variant} value={variant}>
            {texts.variants[variant]}
          </MenuItem>
        ))}
      </TextField>
      <TextField select label={texts.event} value={eventOf[wanted.variant]} onChange={({ target }) => chooseVariant(target.value)}>
        {variants.map((variant) => (
          <MenuItem key={variant} value={eventOf[variant]}>
            {eventOf[variant]}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        select
        label={texts.product}
        value={wanted.product}
        onChange={({ target }) => onChange({ ...wanted, product: target.value })}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      >
        <MenuItem value="">{texts.noProduct}</MenuItem>
        {products.map(({ slug, name }) => (
          <MenuItem key={slug} value={slug}>
            {name}
          </MenuItem>
        ))}
      </TextField>
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

import { Chip, Stack } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { labelOf } from './label-of.ts'
import { paymentTexts } from './payment-texts.ts'

/** The evidence that a purchase is a user's, the strongest first. */
export function EvidenceChips({ because }: { because: readonly string[] }) {
  const { evidence } = useTexts(paymentTexts)
  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 0.75 }}>
      {because.map((name) => (
        <Chip key={name} size="small" variant="outlined" label={labelOf(evidence, name)} />
      ))}
    </Stack>
  )
}

import { Box, Button, TextField, Typography } from '@mui/material'
import { useLocale, useTranslate } from 'react-admin'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useRead } from '../kit/use-read.ts'
import { appearanceTexts } from './texts.ts'
import { useDelayed } from './use-delayed.ts'

interface AccentFieldProps {
  value: string
  /** The colour that counts while the field is empty. */
  shown: string
  error: string | undefined
  mayEdit: boolean
  onChange: (accent: string) => void
}

const COLOUR = /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** The colour as text and as a colour, and whether it can be read. */
export function AccentField({ value, shown, error, mayEdit, onChange }: AccentFieldProps) {
  const texts = useTexts(appearanceTexts)
  const translate = useTranslate()
  const typed = useDelayed(value.trim())
  return (
    <Box>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
        <TextField
          label={texts.labels.accent}
          value={value}
          placeholder={shown}
          helperText={error === undefined ? texts.help.accent : translate(error)}
          error={error !== undefined}
          onChange={({ target }) => onChange(target.value)}
          margin="dense"
          autoComplete="off"
          slotProps={{ htmlInput: { readOnly: !mayEdit, spellCheck: false } }}
        />
        <Box
          component="input"
          type="color"
          aria-label={texts.pickAccent}
          disabled={!mayEdit}
          value={longForm(value) ?? shown}
          onChange={({ target }: { target: HTMLInputElement }) => onChange(target.value)}
          sx={{
            mt: 1,
            width: 56,
            height: 48,
            flex: 'none',
            p: 0.5,
            border: '1px solid',
            borderColor: 'divider',
            borderRadius: 1,
            bgcolor: 'transparent',
          }}
        />
      </Box>
      <Box role="status">{COLOUR.test(typed) && <Contrast accent={typed} mayEdit={mayEdit} onChange={onChange} />}</Box>
    </Box>
  )
}

/** Browsers' colour inputs take six digits alone. */
function longForm(text: string): string | undefined {
  const [, short, long] = /^#?(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(text.trim()) ?? []
  const digits = short?.replace(/./g, '$&$&') ?? long
  return digits === undefined ? undefined : `#${digits.toLowerCase()}`
}

interface Examined {
  accent: string
  ratio: number
  nearest: string | null
}

function Contrast({ accent, mayEdit, onChange }: { accent: string } & Pick<AccentFieldProps, 'mayEdit' | 'onChange'>) {
  const texts = useTexts(appearanceTexts)
  const locale = localeOf(useLocale())
  const { data } = useRead<Examined>(`appearance/accent?${new URLSearchParams({ accent })}`)
  if (!data) return undefined
  const ratio = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(data.ratio)
  const { nearest } = data
  if (nearest === null) return <Typography variant="body2">{texts.readable(ratio)}</Typography>
  return (
    <Typography variant="body2" component="div" color="error">
      {texts.unreadable(ratio)}{' '}
      {mayEdit && (
        <Button
          size="small"
          variant="outlined"
          startIcon={<Box component="span" sx={{ width: 16, height: 16, borderRadius: '50%', bgcolor: nearest }} />}
          onClick={() => onChange(nearest)}
        >
          {texts.takeNearest(nearest)}
        </Button>
      )}
    </Typography>
  )
}

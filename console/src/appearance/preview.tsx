import { Box, MenuItem, Stack, TextField, ToggleButton, ToggleButtonGroup } from '@mui/material'
import { useState } from 'react'
import { useLocale } from 'react-admin'
import { type Locale, localeNames, localeOf, locales } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Section } from '../kit/show/section.tsx'
import type { Draft } from './appearance.ts'
import { appearanceTexts } from './texts.ts'
import { useDelayed } from './use-delayed.ts'

const pages = ['sign_in', 'sign_up', 'mail'] as const
const schemes = ['light', 'dark'] as const

interface PreviewProps {
  changes: Partial<Draft>
  product: string | null
  /** Another version is another page, with the same changes. */
  version: string | undefined
}

/** A page or a mail with the changes that are not saved yet, made by the service. */
export function Preview({ changes, product, version }: PreviewProps) {
  const texts = useTexts(appearanceTexts)
  const [page, setPage] = useState<(typeof pages)[number]>('sign_in')
  const [scheme, setScheme] = useState<(typeof schemes)[number]>('light')
  const [language, setLanguage] = useState<Locale>(localeOf(useLocale()))
  const query = new URLSearchParams({ page, language, scheme, ...(product !== null && { product }), ...changes }).toString()
  const drawn = useDelayed(query)
  return (
    <Box sx={{ position: { lg: 'sticky' }, top: { lg: 72 } }}>
      <Section title={texts.preview}>
        <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', mb: 1.5 }}>
          <Choice label={texts.previewPage} options={pages} value={page} labels={texts.previewPages} onChange={setPage} />
          <Choice label={texts.scheme} options={schemes} value={scheme} labels={texts.schemes} onChange={setScheme} />
          <TextField
            select
            size="small"
            label={texts.language}
            value={language}
            onChange={({ target }) => setLanguage(localeOf(target.value))}
            sx={{ minWidth: 130 }}
          >
            {locales.map((one) => (
              <MenuItem key={one} value={one}>
                {localeNames[one]}
              </MenuItem>
            ))}
          </TextField>
        </Stack>
        <Box
          component="iframe"
          // A frame of its own for each: another address in the same frame would be a step of the browser's history.
          key={`${drawn} ${version}`}
          title={texts.previewOf(texts.previewPages[page])}
          src={`/api/admin/appearance/preview?${drawn}`}
          sandbox="allow-same-origin"
          sx={{
            display: 'block',
            width: '100%',
            height: 720,
            border: '1px solid',
            borderColor: 'divider',
            borderRadius: 2,
          }}
        />
      </Section>
    </Box>
  )
}

interface ChoiceProps<Option extends string> {
  label: string
  options: readonly Option[]
  value: Option
  labels: Readonly<Record<Option, string>>
  onChange: (option: Option) => void
}

function Choice<Option extends string>({ label, options, value, labels, onChange }: ChoiceProps<Option>) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={label}
      value={value}
      onChange={(_event, chosen: Option | null) => chosen !== null && onChange(chosen)}
    >
      {options.map((option) => (
        <ToggleButton key={option} value={option}>
          {labels[option]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

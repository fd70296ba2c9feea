import { Box, Button, Stack, Typography } from '@mui/material'
import type { FormEvent } from 'react'
import { useTranslate } from 'react-admin'
import { useTexts } from '../../i18n/use-texts.ts'
import { RedirectUriField } from '../redirect-uri-field.tsx'
import { useUriCheck } from '../use-uri-check.ts'
import type { Draft } from './draft.ts'
import { tryingUri } from './lines.ts'
import { wizardTexts } from './texts.ts'
import type { Wrong } from './use-create-product.ts'

interface StepProps {
  draft: Draft
  wrong: Wrong
  isBusy: boolean
  onChange: (part: Partial<Draft>) => void
  onBack: () => void
  onNext: () => void
}

/** The redirect URI, checked while it is typed. */
export function AddressStep({ draft, wrong, isBusy, onChange, onBack, onNext }: StepProps) {
  const texts = useTexts(wizardTexts)
  const translate = useTranslate()
  const verdict = useUriCheck(draft.uri, undefined)
  const trying = tryingUri(location.hostname)
  const isRefused = draft.uri === '' || (typeof verdict !== 'string' && !verdict.ok)
  const fault = verdict === 'checking' ? undefined : wrong['redirect_uris.0.uri']
  const next = (event: FormEvent) => {
    event.preventDefault()
    if (!isRefused) onNext()
  }
  return (
    <form onSubmit={next} noValidate>
      <Typography sx={{ fontWeight: 600 }}>{texts.where}</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {texts.whereText}
      </Typography>
      <RedirectUriField
        value={draft.uri}
        verdict={verdict}
        audience={draft.audience}
        onChange={(uri) => onChange({ uri })}
        fault={fault === undefined || (typeof verdict !== 'string' && !verdict.ok) ? undefined : translate(fault)}
      />
      {draft.audience === 'external' && draft.uri !== trying && (
        <Box sx={{ mt: 1, fontSize: '0.875rem' }}>
          {texts.trying}{' '}
          <Button size="small" onClick={() => onChange({ uri: trying })}>
            {texts.tryWith(trying)}
          </Button>
        </Box>
      )}
      <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 2, flexWrap: 'wrap' }}>
        <Button type="submit" variant="contained" disabled={isRefused || isBusy}>
          {texts.create}
        </Button>
        <Button onClick={onBack} disabled={isBusy}>
          {texts.back}
        </Button>
      </Stack>
    </form>
  )
}

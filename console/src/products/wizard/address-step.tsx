import { Box, Button, Stack, TextField, Typography } from '@mui/material'
import type { FormEvent, ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { useTexts } from '../../i18n/use-texts.ts'
import { appFacts } from '../doors/app-kinds.ts'
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

/** The app's address: a redirect URI that is checked while it is typed, or the host behind a proxy. */
export function AddressStep(props: StepProps) {
  return appFacts[props.draft.kind].door === 'forward_auth' ? <HostStep {...props} /> : <RedirectStep {...props} />
}

function RedirectStep({ draft, wrong, isBusy, onChange, onBack, onNext }: StepProps) {
  const texts = useTexts(wizardTexts)
  const translate = useTranslate()
  const { door, openid, callbackPath } = appFacts[draft.kind]
  const verdict = useUriCheck(draft.uri, { kind: openid?.kind })
  const trying = tryingUri(location.hostname)
  const isRefused = draft.uri === '' || (typeof verdict !== 'string' && !verdict.ok)
  const fault = verdict === 'checking' ? undefined : wrong['redirect_uris.0.uri']
  return (
    <StepForm title={texts.where} about={texts.whereText} mayGoOn={!isRefused} isBusy={isBusy} onBack={onBack} onNext={onNext}>
      <RedirectUriField
        value={draft.uri}
        verdict={verdict}
        audience={door === 'openid' ? 'external' : draft.audience}
        onChange={(uri) => onChange({ uri })}
        fault={fault === undefined || (typeof verdict !== 'string' && !verdict.ok) ? undefined : translate(fault)}
        callbackPath={callbackPath}
        help={door === 'openid' ? texts.callbackHelp(callbackPath) : undefined}
      />
      {door === 'client' && draft.audience === 'external' && draft.uri !== trying && (
        <Box sx={{ mt: 1, fontSize: '0.875rem' }}>
          {texts.trying}{' '}
          <Button size="small" onClick={() => onChange({ uri: trying })}>
            {texts.tryWith(trying)}
          </Button>
        </Box>
      )}
    </StepForm>
  )
}

function HostStep({ draft, wrong, isBusy, onChange, onBack, onNext }: StepProps) {
  const texts = useTexts(wizardTexts)
  const translate = useTranslate()
  const fault = wrong['forward_auth.hosts.0'] ?? wrong.forward_auth
  return (
    <StepForm
      title={texts.whereHost}
      about={texts.whereHostText}
      mayGoOn={draft.host !== ''}
      isBusy={isBusy}
      onBack={onBack}
      onNext={onNext}
    >
      <TextField
        fullWidth
        required
        label={texts.host}
        value={draft.host}
        error={fault !== undefined}
        helperText={fault === undefined ? texts.hostHelp : translate(fault)}
        onChange={({ target }) => onChange({ host: target.value.trim() })}
        slotProps={{ htmlInput: { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } }}
      />
    </StepForm>
  )
}

interface FormProps extends Pick<StepProps, 'isBusy' | 'onBack' | 'onNext'> {
  title: string
  about: string
  mayGoOn: boolean
  children: ReactNode
}

function StepForm({ title, about, mayGoOn, isBusy, onBack, onNext, children }: FormProps) {
  const texts = useTexts(wizardTexts)
  const next = (event: FormEvent) => {
    event.preventDefault()
    if (mayGoOn) onNext()
  }
  return (
    <form onSubmit={next} noValidate>
      <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {about}
      </Typography>
      {children}
      <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 2, flexWrap: 'wrap' }}>
        <Button type="submit" variant="contained" disabled={!mayGoOn || isBusy}>
          {texts.create}
        </Button>
        <Button onClick={onBack} disabled={isBusy}>
          {texts.back}
        </Button>
      </Stack>
    </form>
  )
}

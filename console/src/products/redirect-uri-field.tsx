import { Box, Button, TextField } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { labelOf } from '../payments/label-of.ts'
import type { Audience } from './product.ts'
import { uriTexts } from './uri-texts.ts'
import type { UriVerdict } from './use-uri-check.ts'
import { withCallback } from './wizard/lines.ts'

interface FieldProps {
  value: string
  verdict: UriVerdict
  audience: Audience
  onChange: (uri: string) => void
  /** The service's refusal, after sending. */
  fault?: string | undefined
  /** Of the app, for a bare address; by default that of our client. */
  callbackPath?: string | undefined
  /** In place of the help for an app on our client. */
  help?: string | undefined
}

/** An address to register. The text below it says at once whether it is possible, why not, and which form to use instead. */
export function RedirectUriField({ value, verdict, audience, onChange, fault, callbackPath, help }: FieldProps) {
  const texts = useTexts(uriTexts)
  const checked = typeof verdict === 'string' ? undefined : verdict
  const isWrong = fault !== undefined || checked?.ok === false
  const use = typeof checked?.use === 'string' ? withCallback(checked.use, callbackPath) : undefined
  return (
    <Box>
      <TextField
        fullWidth
        label={texts.label}
        type="url"
        value={value}
        onChange={({ target }) => onChange(target.value.trim())}
        error={isWrong}
        helperText={fault ?? <Verdict verdict={verdict} audience={audience} help={help} />}
        slotProps={{
          htmlInput: { spellCheck: false, autoCapitalize: 'off', autoComplete: 'off' },
          formHelperText: { 'aria-live': 'polite' },
        }}
      />
      {use !== undefined && (
        <Button size="small" onClick={() => onChange(use)}>
          {texts.use(use)}
        </Button>
      )}
    </Box>
  )
}

function Verdict({ verdict, audience, help }: Pick<FieldProps, 'verdict' | 'audience' | 'help'>) {
  const texts = useTexts(uriTexts)
  if (verdict === 'empty') return help ?? texts.help
  if (verdict === 'checking') return texts.checking
  if (verdict === 'not_checked') return texts.notChecked
  const { ok, refusal, on_domain, registered_for } = verdict
  if (!ok && registered_for !== null) return texts.taken(registered_for)
  if (!ok) return refusal !== null && Object.hasOwn(texts.refusals, refusal) ? labelOf(texts.refusals, refusal) : texts.refused
  if (registered_for !== null) return texts.here
  return audience === 'internal' && on_domain === false ? texts.offDomain : texts.good
}

import { FormControlLabel, FormHelperText, Switch, TextField } from '@mui/material'
import { useTexts } from '../../i18n/use-texts.ts'
import { labelOf } from '../../payments/label-of.ts'
import { gatewayTexts } from './texts.ts'

/** Gateways whose sandbox has an address of its own; others recognise it by the credentials (docs/operate/gateways.md). */
const sandboxes: Readonly<Record<string, string>> = { asaas: 'https://api-sandbox.asaas.com/v3' }

export interface Given {
  secret: string
  token: string
  apiUrl: string
  isTest: boolean
}

export const nothingGiven: Given = { secret: '', token: '', apiUrl: '', isTest: false }

interface FieldsProps {
  gateway: string
  given: Given
  /** Names of fields that the service refused. */
  wrong: readonly string[]
  onChange: (part: Partial<Given>) => void
}

export function CredentialFields({ gateway, given, wrong, onChange }: FieldsProps) {
  const texts = useTexts(gatewayTexts)
  const sandbox = sandboxes[gateway]
  const apiUrlHelp = sandbox === undefined ? texts.apiUrlHelp : `${texts.apiUrlHelp} ${texts.sandboxUrl(sandbox)}.`
  return (
    <>
      <SecretField
        label={texts.secret}
        value={given.secret}
        help={wrong.includes('webhook_secret') ? wrongSecret(gateway, texts) : labelOf(texts.secretHelp, gateway)}
        isWrong={wrong.includes('webhook_secret')}
        isLong={gateway === 'pagarme'}
        onChange={(secret) => onChange({ secret })}
      />
      <SecretField
        label={texts.token}
        value={given.token}
        help={wrong.includes('access_token') ? texts.malformed.access_token : labelOf(texts.tokenHelp, gateway)}
        isWrong={wrong.includes('access_token')}
        isLong={false}
        onChange={(token) => onChange({ token })}
      />
      <FormControlLabel
        control={<Switch checked={given.isTest} onChange={(_event, isTest) => onChange({ isTest })} />}
        label={texts.isTest}
        sx={{ mt: 1 }}
      />
      <FormHelperText sx={{ mt: 0 }}>{texts.isTestHelp}</FormHelperText>
      <TextField
        fullWidth
        label={texts.apiUrl}
        value={given.apiUrl}
        error={wrong.includes('api_url')}
        helperText={wrong.includes('api_url') ? texts.malformed.api_url : apiUrlHelp}
        onChange={({ target }) => onChange({ apiUrl: target.value.trim() })}
        sx={{ mt: 1.5 }}
      />
    </>
  )
}

interface SecretProps {
  label: string
  value: string
  help: string
  isWrong: boolean
  isLong: boolean
  onChange: (text: string) => void
}

/** Hidden from users nearby, and from the browser's password store. */
function SecretField({ label, value, help, isWrong, isLong, onChange }: SecretProps) {
  return (
    <TextField
      fullWidth
      required
      label={label}
      value={value}
      error={isWrong}
      helperText={help}
      multiline={isLong}
      {...(isLong ? { minRows: 3, maxRows: 8 } : { type: 'password' })}
      onChange={({ target }) => onChange(target.value.trim())}
      slotProps={{ htmlInput: { autoComplete: 'new-password', spellCheck: false } }}
    />
  )
}

function wrongSecret(gateway: string, texts: { malformed: { webhook_secret: string }; keysMalformed: string }): string {
  return gateway === 'pagarme' ? texts.keysMalformed : texts.malformed.webhook_secret
}

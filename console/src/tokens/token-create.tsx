import { maxLength, required, SelectInput, TextInput, useRedirect } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { CreatePage } from '../kit/form/create-page.tsx'
import { SecretOnce } from '../kit/form/secret-once.tsx'
import { kitTexts } from '../kit/texts.ts'
import { ScopesInput } from './scopes-input.tsx'
import { tokenTexts } from './texts.ts'
import type { NewToken } from './token.ts'

const isName = [required(), maxLength(100)]
const isRequired = required()
const days = [7, 30, 90, 365]
const defaults = { role: 'viewer', expires_days: 90 }

/** Makes a token; its secret is shown at once, before anything else, and then never again. */
export function TokenCreate() {
  const texts = useTexts(tokenTexts)
  const kit = useTexts(kitTexts)
  const redirect = useRedirect()
  return (
    <CreatePage<NewToken>
      back="/tokens"
      title={texts.create}
      defaults={defaults}
      pathOf={() => '/tokens'}
      shown={({ token }) => <SecretOnce label={texts.secret} secret={token} onKept={() => redirect('/tokens')} />}
    >
      <TextInput source="name" label={texts.name} helperText={texts.nameHelp} validate={isName} autoComplete="off" />
      <SelectInput
        source="role"
        label={texts.role}
        helperText={texts.roleHelp}
        choices={(['viewer', 'support', 'owner'] as const).map((id) => ({ id, name: texts.roles[id] }))}
        translateChoice={false}
        validate={isRequired}
      />
      <SelectInput
        source="expires_days"
        label={texts.expires}
        choices={days.map((id) => ({ id, name: texts.days(id) }))}
        translateChoice={false}
        emptyText={texts.never}
        helperText={false}
      />
      <ScopesInput />
      <TextInput source="reason" label={kit.reason} helperText={kit.reasonHelp} multiline />
    </CreatePage>
  )
}

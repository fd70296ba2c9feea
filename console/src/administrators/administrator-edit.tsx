import { TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { EditPage } from '../kit/form/edit-page.tsx'
import { kitTexts } from '../kit/texts.ts'
import type { Administrator } from './administrator.ts'
import { RoleInput } from './role-input.tsx'
import { administratorTexts } from './texts.ts'

/** Gives an administrator another role. */
export function AdministratorEdit() {
  const texts = useTexts(administratorTexts)
  const kit = useTexts(kitTexts)
  return (
    <EditPage<Administrator>
      back="/administrators"
      title={({ name }) => texts.changeTitle(name)}
      labels={{ role: texts.role, reason: kit.reason }}
      kinds={{ role: texts.roles }}
      refusals={texts.refusals}
    >
      <RoleInput />
      <TextInput source="reason" label={kit.reason} helperText={kit.reasonHelp} parse={orNothing} multiline />
    </EditPage>
  )
}

const orNothing = (text: string) => text || undefined

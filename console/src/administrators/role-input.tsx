import { required, SelectInput } from 'react-admin'
import { useWatch } from 'react-hook-form'
import { useTexts } from '../i18n/use-texts.ts'
import type { Role } from '../roles.ts'
import { administratorTexts } from './texts.ts'

const roles = ['viewer', 'support', 'owner'] as const satisfies readonly Role[]
const isRequired = required()

/** The roles, each with its permissions. */
export function RoleInput({ defaultValue }: { defaultValue?: Role }) {
  const texts = useTexts(administratorTexts)
  const chosen = useWatch<Record<string, unknown>>({ name: 'role' })
  const role = roles.find((known) => known === chosen)
  return (
    <SelectInput
      source="role"
      label={texts.role}
      choices={roles.map((id) => ({ id, name: texts.roles[id] }))}
      translateChoice={false}
      validate={isRequired}
      helperText={role === undefined ? false : texts.roleHelp[role]}
      {...(defaultValue && { defaultValue })}
    />
  )
}

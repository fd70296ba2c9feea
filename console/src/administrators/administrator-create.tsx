import { Link, Typography } from '@mui/material'
import { email, required, TextInput } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { CreatePage } from '../kit/form/create-page.tsx'
import { kitTexts } from '../kit/texts.ts'
import type { Administrator } from './administrator.ts'
import { RoleInput } from './role-input.tsx'
import { administratorTexts } from './texts.ts'

const isEmail = [required(), email()]

/** Gives a role to a user who has an account. */
export function AdministratorCreate() {
  const texts = useTexts(administratorTexts)
  const kit = useTexts(kitTexts)
  return (
    <CreatePage<Administrator> back="/administrators" title={texts.add} pathOf={() => '/administrators'}>
      <Typography color="textSecondary" sx={{ mb: 1 }}>
        {texts.addHelp}{' '}
        <Link component={RouterLink} to="/users/create" underline="always">
          {texts.invite}
        </Link>
      </Typography>
      <TextInput source="email" type="email" label={texts.email} validate={isEmail} autoComplete="off" helperText={false} />
      <RoleInput defaultValue="viewer" />
      <TextInput source="reason" label={kit.reason} helperText={kit.reasonHelp} multiline />
    </CreatePage>
  )
}

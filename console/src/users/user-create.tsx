import { Typography } from '@mui/material'
import { BooleanInput, email, maxLength, required, TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { CreatePage } from '../kit/form/create-page.tsx'
import { kitTexts } from '../kit/texts.ts'
import { userTexts } from './texts.ts'
import { type UserDetails, userPath } from './user.ts'

const isEmail = [required(), email()]
const isName = [required(), maxLength(200)]

/** Makes a user's account. The user sets the password by the mailed invitation. */
export function UserCreate() {
  const texts = useTexts(userTexts)
  const kit = useTexts(kitTexts)
  return (
    <CreatePage<UserDetails> back="/users" title={texts.create} pathOf={({ id }) => userPath(id)}>
      <Typography color="textSecondary" sx={{ mb: 1 }}>
        {texts.createHelp}
      </Typography>
      <TextInput source="name" label={texts.name} validate={isName} autoComplete="off" helperText={false} />
      <TextInput source="email" type="email" label={texts.email} validate={isEmail} autoComplete="off" helperText={false} />
      <BooleanInput source="is_producer" label={texts.isProducer} helperText={false} />
      <BooleanInput source="beta" label={texts.isBeta} helperText={texts.betaHelp} />
      <TextInput source="reason" label={kit.reason} helperText={kit.reasonHelp} multiline />
    </CreatePage>
  )
}

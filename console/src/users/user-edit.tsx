import { BooleanInput, maxLength, required, TextInput } from 'react-admin'
import { useParams } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { EditPage } from '../kit/form/edit-page.tsx'
import { kitTexts } from '../kit/texts.ts'
import { userTexts } from './texts.ts'
import { type UserDetails, userPath } from './user.ts'

const isName = [required(), maxLength(200)]
const isShort = maxLength(200)

/** The operator's fields of a user. Address, password and tax id are the user's own to change. */
export function UserEdit() {
  const texts = useTexts(userTexts)
  const kit = useTexts(kitTexts)
  const { id = '' } = useParams()
  const labels = {
    name: texts.name,
    company_name: texts.company,
    rank_name: texts.rank,
    avatar_url: texts.avatar,
    is_producer: texts.isProducer,
    beta: texts.isBeta,
    reason: kit.reason,
  }
  return (
    <EditPage<UserDetails> back={userPath(id)} title={({ name }) => texts.editTitle(name)} labels={labels} kinds={{ beta: 'presence' }}>
      <TextInput source="name" label={labels.name} validate={isName} helperText={false} />
      <TextInput source="company_name" label={labels.company_name} validate={isShort} helperText={false} />
      <TextInput source="rank_name" label={labels.rank_name} validate={isShort} helperText={texts.rankHelp} />
      <TextInput source="avatar_url" label={labels.avatar_url} helperText={texts.avatarHelp} />
      <BooleanInput source="is_producer" label={labels.is_producer} helperText={texts.producerHelp} />
      <BooleanInput source="beta" label={labels.beta} helperText={texts.betaHelp} format={isThere} />
      <TextInput source="reason" label={labels.reason} helperText={kit.reasonHelp} parse={orNothing} multiline />
    </EditPage>
  )
}

/** The record has a time for the NDA where the form has yes or no; the form's value is sent. */
const isThere = (beta: unknown) => beta !== null && beta !== undefined && beta !== false
const orNothing = (text: string) => text || undefined

import { maxLength, required, TextInput } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { EditPage } from '../kit/form/edit-page.tsx'
import type { Endpoint } from './endpoint.ts'
import { endpointTexts } from './texts.ts'
import { TypesInput } from './types-input.tsx'

const isRequired = required()
const isShort = maxLength(200)

/** Changes an endpoint. Whose it is stays, and so does its secret. */
export function EndpointEdit() {
  const texts = useTexts(endpointTexts)
  return (
    <EditPage<Endpoint>
      back="/endpoints"
      title={({ url, description }) => texts.editTitle(description || url)}
      labels={{ url: texts.url, types: texts.types, description: texts.description }}
    >
      <TextInput source="url" label={texts.url} helperText={texts.newUrlHelp} validate={isRequired} type="url" autoComplete="off" />
      <TypesInput />
      <TextInput source="description" label={texts.description} helperText={texts.descriptionHelp} validate={isShort} autoComplete="off" />
    </EditPage>
  )
}

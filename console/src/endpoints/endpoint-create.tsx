import { Typography } from '@mui/material'
import { maxLength, required, TextInput, useRedirect } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import { CreatePage } from '../kit/form/create-page.tsx'
import { SecretOnce } from '../kit/form/secret-once.tsx'
import { ProductInput } from '../payments/product-input.tsx'
import { endpointPath, type NewEndpoint } from './endpoint.ts'
import { endpointTexts } from './texts.ts'
import { TypesInput } from './types-input.tsx'

const isRequired = required()
const isShort = maxLength(200)

/** Makes an endpoint; its secret is shown at once, and then never again. */
export function EndpointCreate() {
  const texts = useTexts(endpointTexts)
  const redirect = useRedirect()
  return (
    <CreatePage<NewEndpoint>
      back="/endpoints"
      title={texts.create}
      pathOf={({ id }) => endpointPath(id)}
      shown={({ id, secret }) => (
        <>
          <SecretOnce label={texts.secret} secret={secret} onKept={() => redirect(endpointPath(id))} />
          <Typography color="textSecondary">{texts.secretHelp}</Typography>
        </>
      )}
    >
      <ProductInput label={texts.product} help={texts.productHelp} none={texts.everyProduct} />
      <TextInput source="url" label={texts.url} helperText={texts.urlHelp} validate={isRequired} type="url" autoComplete="off" />
      <TypesInput />
      <TextInput source="description" label={texts.description} helperText={texts.descriptionHelp} validate={isShort} autoComplete="off" />
    </CreatePage>
  )
}

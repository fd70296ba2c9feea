import { Button, LinearProgress, Typography } from '@mui/material'
import { useRef } from 'react'
import { required, TextInput } from 'react-admin'
import { Link, useSearchParams } from 'react-router-dom'
import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Failed } from '../kit/failed.tsx'
import { CreatePage } from '../kit/form/create-page.tsx'
import { PageHeading } from '../kit/page-heading.tsx'
import { CopyText } from '../kit/show/copy-text.tsx'
import { useRead } from '../kit/use-read.ts'
import { draftTest, TestBeforeSave } from './connection-test/test-before-save.tsx'
import { DomainsInput } from './domains-input.tsx'
import { galleryTexts } from './gallery-texts.ts'
import { PresetGallery } from './preset-gallery.tsx'
import { bodyOf, type Findings, type IdentityProvider, type Preset, type Presets, providerPath } from './provider.ts'
import { AudienceInput, NameInput, SecretInput } from './provider-fields.tsx'
import { providerTexts } from './texts.ts'

const isRequired = required()
const isOwn = (text: string) => (/[{}]/.test(text) ? 'ra.validation.required' : undefined)

/** Connects a provider: first which one, then what is not the same at everybody. It is tested before it is saved. */
export function ProviderCreate() {
  const texts = useTexts(providerTexts)
  const { data, error, refetch } = useRead<Presets>(adminPath('identity-provider-presets'))
  const chosen = useSearchParams()[0].get('preset')
  if (data && chosen !== null)
    return <ProviderForm key={chosen} redirectUri={data.redirect_uri} preset={data.presets.find(({ id }) => id === chosen)} />
  return (
    <>
      <PageHeading title={texts.create} back="/identity-providers" />
      {error && !data && <Failed error={error} onRetry={refetch} />}
      {data ? <PresetGallery presets={data.presets} /> : !error && <LinearProgress />}
    </>
  )
}

function ProviderForm({ preset, redirectUri }: { preset: Preset | undefined; redirectUri: string }) {
  const texts = useTexts(providerTexts)
  const gallery = useTexts(galleryTexts)
  const found = useRef<Findings>(undefined)
  const isOpen = preset?.issuer.includes('{') ?? true
  return (
    <CreatePage<IdentityProvider>
      back="/identity-providers"
      title={texts.create}
      pathOf={({ id }) => providerPath(id)}
      stateOf={() => ({ found: found.current })}
      saveLabel={gallery.testAndCreate}
      bodyOf={bodyOf}
      {...(preset && { defaults: { ...preset } })}
    >
      <RegisterFirst redirectUri={redirectUri} />
      <NameInput />
      <TextInput source="id" label={texts.id} helperText={texts.idHelp} validate={isRequired} autoComplete="off" />
      <TextInput
        source="issuer"
        label={texts.issuer}
        helperText={isOpen && preset ? gallery.issuerOwn : texts.issuerHelp}
        validate={[isRequired, isOwn]}
        type="url"
        autoComplete="off"
      />
      <TextInput source="client_id" label={texts.clientId} helperText={texts.clientIdHelp} validate={isRequired} autoComplete="off" />
      {preset?.kind === 'apple' ? <AppleKey /> : <SecretInput of="new" />}
      <DomainsInput />
      {(preset?.kind ?? 'openid') === 'openid' && <AudienceInput />}
      <Typography variant="body2" color="textSecondary">
        {gallery.afterwards}
      </Typography>
      <TestBeforeSave requestOf={draftTest} last={found} />
    </CreatePage>
  )
}

function RegisterFirst({ redirectUri }: { redirectUri: string }) {
  const texts = useTexts(providerTexts)
  const gallery = useTexts(galleryTexts)
  return (
    <div>
      <Typography component="h2" variant="subtitle1" sx={{ fontWeight: 600 }}>
        {gallery.registerFirst}
      </Typography>
      <CopyText text={redirectUri} label={texts.redirectUri} />
      <Typography variant="body2" color="textSecondary">
        {gallery.registerFirstHelp}
      </Typography>
      <Button component={Link} to="/identity-providers/create" size="small" sx={{ mt: 0.5 }}>
        {gallery.otherOne}
      </Button>
    </div>
  )
}

/** Apple's three parts in place of a secret. `bodyOf` makes one secret of them. */
function AppleKey() {
  const texts = useTexts(galleryTexts)
  return (
    <>
      <TextInput source="apple.team_id" label={texts.teamId} helperText={false} validate={isRequired} autoComplete="off" />
      <TextInput source="apple.key_id" label={texts.keyId} helperText={false} validate={isRequired} autoComplete="off" />
      <TextInput
        source="client_secret"
        label={texts.privateKey}
        helperText={texts.privateKeyHelp}
        validate={isRequired}
        multiline
        minRows={4}
        autoComplete="off"
      />
    </>
  )
}

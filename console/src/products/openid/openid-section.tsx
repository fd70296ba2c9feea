import { Alert, Box, Button, MenuItem, Link as MuiLink, Stack, TextField, Typography } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { adminPath } from '../../api/admin-http.ts'
import { useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { Facts } from '../../kit/show/facts.tsx'
import { Section } from '../../kit/show/section.tsx'
import { idTokenAlgs, type OpenId, openIdKinds, type ProductDetails, pkceRules } from '../product.ts'
import { useProductChange } from '../use-product-change.ts'
import { openIdTexts } from './openid-texts.ts'

const NONE: OpenId = { kind: 'web', pkce: 'required', id_token_alg: 'RS256', post_logout_uris: [], resources: [] }

/** How a product signs its users in by OpenID Connect, with the values that the app's own settings ask for. */
export function OpenIdSection({ product }: { product: ProductDetails }) {
  const texts = useTexts(openIdTexts)
  const mayChange = useMay('products:write')
  const { openid, _version: version } = product
  if (!mayChange && !openid) return undefined
  return (
    <Section title={texts.title}>
      <Typography variant="body2" color="textSecondary">
        {texts.about}
      </Typography>
      <MuiLink href="/docs/openid" target="_blank" rel="noopener">
        {texts.docs}
      </MuiLink>
      {openid && (
        <Box sx={{ my: 2 }}>
          <Facts
            facts={[
              [texts.issuer, window.location.origin],
              [texts.clientId, product.publishable_key],
              [texts.secret, openid.kind === 'web' ? texts.secretIs : texts.noSecret],
            ]}
          />
        </Box>
      )}
      {/* Another version fills the form anew. */}
      <Settings key={version} product={product} mayChange={mayChange} />
      {mayChange && openid && (
        <ActionButton
          label={texts.off}
          tone="danger"
          request={{ path: adminPath('products', product.id), method: 'PATCH', body: { openid: null }, ifMatch: version }}
          explains={texts.offExplains}
        />
      )}
    </Section>
  )
}

function Settings({ product, mayChange }: { product: ProductDetails; mayChange: boolean }) {
  const texts = useTexts(openIdTexts)
  const stored = product.openid ?? NONE
  const [kind, setKind] = useState(stored.kind)
  const [pkce, setPkce] = useState(stored.pkce)
  const [alg, setAlg] = useState(stored.id_token_alg)
  const [postLogout, setPostLogout] = useState(stored.post_logout_uris.join('\n'))
  const [resources, setResources] = useState(stored.resources.join('\n'))
  const { change, isBusy, fault } = useProductChange(product)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const openid: OpenId = {
      kind,
      pkce: kind === 'web' ? pkce : 'required',
      id_token_alg: alg,
      post_logout_uris: splitLines(postLogout),
      resources: splitLines(resources),
    }
    void change({ openid }, product._version)
  }
  const lines = { multiline: true, minRows: 2, disabled: !mayChange }
  return (
    <Stack component="form" onSubmit={save} spacing={2} sx={{ my: 2, maxWidth: 720 }}>
      <Choice label={texts.kind} value={kind} values={openIdKinds} names={texts.kinds} onChoose={setKind} disabled={!mayChange} />
      {kind === 'web' && (
        <Choice label={texts.pkce} value={pkce} values={pkceRules} names={texts.pkces} onChoose={setPkce} disabled={!mayChange} />
      )}
      <Choice label={texts.alg} value={alg} values={idTokenAlgs} names={ALGS} onChoose={setAlg} disabled={!mayChange} />
      <TextField
        label={texts.postLogout}
        helperText={texts.postLogoutHelp}
        value={postLogout}
        onChange={({ target }) => setPostLogout(target.value)}
        {...lines}
      />
      <TextField
        label={texts.resources}
        helperText={texts.resourcesHelp}
        value={resources}
        onChange={({ target }) => setResources(target.value)}
        {...lines}
      />
      {fault !== undefined && <Alert severity="error">{fault}</Alert>}
      {mayChange && (
        <Button type="submit" variant="contained" disabled={isBusy} sx={{ alignSelf: 'start' }}>
          {texts.save}
        </Button>
      )}
    </Stack>
  )
}

const ALGS = { RS256: 'RS256', ES256: 'ES256' }

interface ChoiceProps<T extends string> {
  label: string
  value: T
  values: readonly T[]
  names: Readonly<Record<T, string>>
  onChoose: (value: T) => void
  disabled: boolean
}

function Choice<T extends string>({ label, value, values, names, onChoose, disabled }: ChoiceProps<T>) {
  return (
    <TextField
      select
      label={label}
      value={value}
      onChange={({ target }) => onChoose(values.find((one) => one === target.value) ?? value)}
      disabled={disabled}
    >
      {values.map((one) => (
        <MenuItem key={one} value={one}>
          {names[one]}
        </MenuItem>
      ))}
    </TextField>
  )
}

function splitLines(text: string): string[] {
  return text.split(/\s+/).filter((part) => part !== '')
}

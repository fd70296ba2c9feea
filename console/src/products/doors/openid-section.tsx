import { Box, TextField } from '@mui/material'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Facts } from '../../kit/show/facts.tsx'
import { idTokenAlgs, type OpenId, openIdKinds, type ProductDetails, pkceRules } from '../product.ts'
import { Choice, splitList } from './choice.tsx'
import { DoorForm, DoorSection } from './door-section.tsx'
import { openIdTexts } from './openid-texts.ts'
import type { FormSaving } from './use-filling.ts'

const NONE: OpenId = { kind: 'web', pkce: 'required', id_token_alg: 'RS256', post_logout_uris: [], resources: [] }

/** How a product signs its users in by OpenID Connect, with the values that the app's own settings ask for. */
export function OpenIdSection({ product }: { product: ProductDetails }) {
  const texts = useTexts(openIdTexts)
  const { openid } = product
  const facts: Array<readonly [string, string]> = [
    [texts.issuer, window.location.origin],
    [texts.clientId, product.publishable_key],
    [texts.secret, openid?.kind === 'web' ? texts.secretIs : texts.noSecret],
  ]
  return (
    <DoorSection
      product={product}
      title={texts.title}
      about={texts.about}
      docs={{ href: '/docs/openid', label: texts.docs }}
      field="openid"
      offExplains={texts.offExplains}
      facts={
        <Box sx={{ my: 2 }}>
          <Facts facts={facts} />
          {openid?.kind === 'native' && <Link to="/described-clients">{texts.described}</Link>}
        </Box>
      }
    >
      {(saving) => <Settings product={product} saving={saving} />}
    </DoorSection>
  )
}

function Settings({ product, saving }: { product: ProductDetails; saving: FormSaving }) {
  const texts = useTexts(openIdTexts)
  const mayChange = useMay('products:write')
  const stored = product.openid ?? NONE
  const [kind, setKind] = useState(stored.kind)
  const [pkce, setPkce] = useState(stored.pkce)
  const [alg, setAlg] = useState(stored.id_token_alg)
  const [postLogout, setPostLogout] = useState(stored.post_logout_uris.join('\n'))
  const [resources, setResources] = useState(stored.resources.join('\n'))
  const wanted = (): { openid: OpenId } => ({
    openid: {
      kind,
      pkce: kind === 'web' ? pkce : 'required',
      id_token_alg: alg,
      post_logout_uris: splitList(postLogout, /\s+/),
      resources: splitList(resources, /\s+/),
    },
  })
  const lines = { multiline: true, minRows: 2, disabled: !mayChange }
  return (
    <DoorForm product={product} saving={saving} save={texts.save} wanted={wanted}>
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
    </DoorForm>
  )
}

const ALGS = { RS256: 'RS256', ES256: 'ES256' }

import { LinearProgress } from '@mui/material'
import { adminPath } from '../../api/admin-http.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../../kit/failed.tsx'
import { Facts } from '../../kit/show/facts.tsx'
import { Section } from '../../kit/show/section.tsx'
import { Time } from '../../kit/show/values.tsx'
import { kitTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { labelOf } from '../../payments/label-of.ts'
import { productTexts } from '../../products/texts.ts'
import type { Consents, UserDetails } from '../user.ts'
import { trustTexts } from './trust-texts.ts'

/** A user's agreements, with time and origin. */
export function ConsentsSection({ user: { id } }: { user: UserDetails }) {
  const texts = useTexts(trustTexts)
  const { loading } = useTexts(kitTexts)
  const { data, error, refetch } = useRead<Consents>(adminPath('users', id, 'consents'))
  return (
    <Section title={texts.consents}>
      {data && (
        <Facts
          facts={[
            [texts.nda, <Nda key="nda" {...data} />],
            [texts.sharings, data.sharings.length === 0 ? texts.noSharings : <Sharings key="sharings" {...data} />],
          ]}
        />
      )}
      {error && <Failed error={error} onRetry={refetch} />}
      {!data && !error && <LinearProgress aria-label={loading} />}
    </Section>
  )
}

function Nda({ beta_user, nda }: Consents) {
  const texts = useTexts(trustTexts)
  if (nda === null) return beta_user ? texts.ndaMissing : texts.ndaNotAsked
  return (
    <>
      <Time at={nda.accepted_at} /> · {texts.ndaVersion(nda.version)} · {texts.from(nda.ip)}
    </>
  )
}

function Sharings({ sharings }: Consents) {
  const texts = useTexts(trustTexts)
  const { scopeNames } = useTexts(productTexts)
  return sharings.map(({ product, scopes, granted_at, ip }) => (
    <div key={product}>
      {product}: {scopes.map((scope) => labelOf(scopeNames, scope)).join(', ')} · <Time at={granted_at} /> · {texts.from(ip)}
    </div>
  ))
}

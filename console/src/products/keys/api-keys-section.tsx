import { Alert, Typography } from '@mui/material'
import { useState } from 'react'
import { useRefresh } from 'react-admin'
import { adminPath } from '../../api/admin-http.ts'
import { useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { SecretOnce } from '../../kit/form/secret-once.tsx'
import { CopyText } from '../../kit/show/copy-text.tsx'
import { Facts } from '../../kit/show/facts.tsx'
import { Section } from '../../kit/show/section.tsx'
import { Time } from '../../kit/show/values.tsx'
import type { ApiKey, ProductDetails } from '../product.ts'
import { KeyTable } from './key-table.tsx'
import { keyTexts } from './texts.ts'

const MAX_LIVE = 2

/** The API keys of an app. A key is replaced without a gap: one more is made, then the old one is revoked. */
export function ApiKeysSection({ product }: { product: ProductDetails }) {
  const texts = useTexts(keyTexts)
  const mayChange = useMay('product-keys:write')
  const refresh = useRefresh()
  const [fresh, setFresh] = useState<string>()
  const live = product.api_keys.filter(({ revoked_at }) => revoked_at === null)
  const onMade = ({ api_key }: { api_key: string }) => {
    setFresh(api_key)
    refresh()
  }
  return (
    <Section title={texts.title}>
      {fresh !== undefined && <SecretOnce label={texts.newKey} secret={fresh} onKept={() => setFresh(undefined)} />}
      <Facts facts={[[texts.publishable, <CopyText key="publishable" text={product.publishable_key} label={texts.publishable} />]]} />
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {texts.about}
      </Typography>
      {live.length === 0 && <Alert severity="warning">{texts.noneLive}</Alert>}
      <KeyTable
        label={texts.title}
        keys={product.api_keys}
        more={(key) => <LastUse apiKey={key} />}
        actions={(key) => mayChange && key.revoked_at === null && <Revoke apiKey={key} productId={product.id} isLast={live.length === 1} />}
      />
      {mayChange ? (
        <Rotate product={product} live={live.length} onMade={onMade} />
      ) : (
        <Typography sx={{ mt: 1 }}>{texts.onlyOwners}</Typography>
      )}
    </Section>
  )
}

function LastUse({ apiKey: { last_used_at } }: { apiKey: ApiKey }) {
  const texts = useTexts(keyTexts)
  if (last_used_at === null) return texts.neverUsed
  return (
    <>
      {texts.lastUsed} <Time at={last_used_at} />
    </>
  )
}

interface RotateProps {
  product: ProductDetails
  live: number
  onMade: (made: { api_key: string }) => void
}

function Rotate({ product: { id }, live, onMade }: RotateProps) {
  const texts = useTexts(keyTexts)
  if (live >= MAX_LIVE) {
    return (
      <Alert severity="info" sx={{ mt: 2 }}>
        {texts.twoLive}
      </Alert>
    )
  }
  return (
    <Typography component="div" sx={{ mt: 2 }}>
      <ActionButton<{ api_key: string }>
        label={live === 0 ? texts.create : texts.rotate}
        request={{ path: adminPath('products', id, 'api-keys') }}
        explains={texts.rotateExplains}
        onDone={onMade}
      />
    </Typography>
  )
}

function Revoke({ apiKey: { id, hint }, productId, isLast }: { apiKey: ApiKey; productId: string; isLast: boolean }) {
  const texts = useTexts(keyTexts)
  return (
    <ActionButton
      label={texts.revoke}
      tone="danger"
      request={{ path: adminPath('products', productId, 'api-keys', id), method: 'DELETE' }}
      explains={isLast ? `${texts.revokeExplains(hint)} ${texts.revokeLast}` : texts.revokeExplains(hint)}
    />
  )
}

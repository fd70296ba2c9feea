import { Alert, Box, Button, Stack, Typography } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { adminPath } from '../api/admin-http.ts'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { Section } from '../kit/show/section.tsx'
import { StatusChip } from '../kit/show/status-chip.tsx'
import type { ProductDetails, RedirectUri } from './product.ts'
import { RedirectUriField } from './redirect-uri-field.tsx'
import { productTexts } from './texts.ts'
import { useProductChange } from './use-product-change.ts'
import { useUriCheck } from './use-uri-check.ts'

/** The redirect URIs: added, removed and trusted one by one. */
export function UrisSection({ product }: { product: ProductDetails }) {
  const texts = useTexts(productTexts)
  const mayChange = useMay('products:write')
  return (
    <Section title={texts.uris}>
      {product.redirect_uris.length === 0 && !product.forward_auth && <Alert severity="warning">{texts.noUris}</Alert>}
      <Box component="ul" aria-label={texts.uriList} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {product.redirect_uris.map((one) => (
          <UriRow key={one.uri} one={one} product={product} mayChange={mayChange} />
        ))}
      </Box>
      {mayChange && <AddUri product={product} />}
    </Section>
  )
}

function UriRow({ one, product, mayChange }: { one: RedirectUri; product: ProductDetails; mayChange: boolean }) {
  const texts = useTexts(productTexts)
  const { redirect_uris, audience } = product
  const { uri, trusted } = one
  const others = redirect_uris.filter((other) => other.uri !== uri)
  const turned = redirect_uris.map((other) => (other.uri === uri ? { uri, trusted: !trusted } : other))
  const requestOf = (uris: readonly RedirectUri[]) =>
    ({ path: adminPath('products', product.id), method: 'PATCH', body: { redirect_uris: uris }, ifMatch: product._version }) as const
  return (
    <Box
      component="li"
      sx={{ py: 1, display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', borderBottom: '1px solid', borderColor: 'divider' }}
    >
      <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
        <Typography component="code" sx={{ fontSize: '0.875rem', overflowWrap: 'anywhere', mr: 1 }}>
          {uri}
        </Typography>
        {trusted && <StatusChip tone="warning" label={texts.trusted} />}
      </Box>
      {mayChange && (
        <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
          {audience === 'internal' && (
            <ActionButton
              key={trusted ? 'distrust' : 'trust'}
              label={trusted ? texts.distrust : texts.trust}
              request={requestOf(turned)}
              explains={trusted ? texts.distrustExplains(uri) : texts.trustExplains(uri)}
            />
          )}
          <ActionButton label={texts.remove} tone="danger" request={requestOf(others)} explains={texts.removeExplains(uri)} />
        </Stack>
      )}
    </Box>
  )
}

function AddUri({ product }: { product: ProductDetails }) {
  const texts = useTexts(productTexts)
  const [uri, setUri] = useState('')
  const verdict = useUriCheck(uri, { productId: product.id })
  const { change, isBusy, fault } = useProductChange(product)
  const isRefused = typeof verdict !== 'string' && (!verdict.ok || product.redirect_uris.some((one) => one.uri === uri))
  const add = async (event: FormEvent) => {
    event.preventDefault()
    const isDone = await change({ redirect_uris: [...product.redirect_uris, { uri, trusted: false }] }, product._version)
    if (isDone) setUri('')
  }
  return (
    <Box component="form" onSubmit={(event) => void add(event)} sx={{ mt: 2, maxWidth: 720 }}>
      <RedirectUriField value={uri} verdict={verdict} audience={product.audience} onChange={setUri} />
      {fault !== undefined && (
        <Alert severity="error" sx={{ my: 1 }}>
          {fault}
        </Alert>
      )}
      <Button type="submit" variant="contained" disabled={uri === '' || isBusy || isRefused} sx={{ mt: 0.5 }}>
        {texts.add}
      </Button>
    </Box>
  )
}

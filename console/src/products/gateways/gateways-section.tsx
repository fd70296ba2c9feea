import { Alert, Box, Stack, Typography } from '@mui/material'
import { adminPath } from '../../api/admin-http.ts'
import { useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { CopyText } from '../../kit/show/copy-text.tsx'
import { Facts } from '../../kit/show/facts.tsx'
import { Section } from '../../kit/show/section.tsx'
import { StatusChip } from '../../kit/show/status-chip.tsx'
import { Time } from '../../kit/show/values.tsx'
import { labelOf } from '../../payments/label-of.ts'
import { paymentTexts } from '../../payments/payment-texts.ts'
import type { GatewayState, ProductDetails } from '../product.ts'
import { CredentialsButton } from './credentials-button.tsx'
import { ProbeButton } from './probe-button.tsx'
import { gatewayTexts } from './texts.ts'

/** Each gateway: the address of its webhook, its deliveries, and its credentials. */
export function GatewaysSection({ product }: { product: ProductDetails }) {
  const texts = useTexts(gatewayTexts)
  return (
    <Section title={texts.title}>
      <Stack spacing={3}>
        {product.gateways.map((state) => (
          <OneGateway key={state.gateway} state={state} product={product} />
        ))}
      </Stack>
    </Section>
  )
}

function OneGateway({ state, product }: { state: GatewayState; product: ProductDetails }) {
  const texts = useTexts(gatewayTexts)
  const { sources } = useTexts(paymentTexts)
  const name = labelOf(sources, state.gateway)
  const chip = state.credentials ?? 'none'
  const tones = { live: 'good', test: 'warning', none: 'neutral' } as const
  return (
    <Box component="article" aria-label={name} sx={{ borderTop: '1px solid', borderColor: 'divider', pt: 2 }}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: 'center', flexWrap: 'wrap', mb: 1 }}>
        <Typography variant="h3">{name}</Typography>
        <StatusChip tone={tones[chip]} label={texts[chip]} />
      </Stack>
      {state.failing_since !== null && (
        <Alert severity="error" sx={{ mb: 1 }}>
          {texts.failing} <Time at={state.failing_since} /> ({state.verification_failures}). {texts.failingWhy}
        </Alert>
      )}
      <GatewayFacts state={state} product={product} />
      <GatewayActions state={state} product={product} name={name} />
    </Box>
  )
}

function GatewayFacts({ state, product }: { state: GatewayState; product: ProductDetails }) {
  const texts = useTexts(gatewayTexts)
  const { webhook_url, last_delivery_at, unresolved, awaiting_gateway, failed } = state
  const credentials = product.gateway_credentials.find(({ gateway }) => gateway === state.gateway)
  const open = [
    ...(unresolved > 0 ? [texts.unresolved(unresolved)] : []),
    ...(awaiting_gateway > 0 ? [texts.awaitingGateway(awaiting_gateway)] : []),
    ...(failed > 0 ? [texts.failed(failed)] : []),
  ]
  const address =
    webhook_url === null ? (
      texts.onlyOwners
    ) : (
      <>
        <CopyText text={webhook_url} label={texts.webhookUrl} />
        <Typography variant="body2" color="textSecondary">
          {texts.registerThere}
        </Typography>
      </>
    )
  return (
    <Facts
      facts={[
        [texts.webhookUrl, address],
        [texts.lastDelivery, last_delivery_at === null ? texts.noDelivery : <Time key="last" at={last_delivery_at} />],
        [texts.open, open.join(' · ') || texts.nothingOpen],
        ...(credentials ? [[texts.apiUrl, credentials.api_url ?? texts.ownApi] as const] : []),
      ]}
    />
  )
}

function GatewayActions({
  state: { gateway, credentials },
  product: { id },
  name,
}: {
  state: GatewayState
  product: ProductDetails
  name: string
}) {
  const texts = useTexts(gatewayTexts)
  const mayChange = useMay('product-keys:write')
  if (!mayChange) return undefined
  const path = adminPath('products', id, 'gateway-credentials', gateway)
  return (
    <Stack spacing={1} useFlexGap sx={{ mt: 1.5, flexDirection: 'row', flexWrap: 'wrap', alignItems: 'flex-start' }}>
      <CredentialsButton path={path} gateway={gateway} name={name} label={credentials === null ? texts.give : texts.replace} />
      {credentials !== null && (
        <>
          <ActionButton label={texts.take} tone="danger" request={{ path, method: 'DELETE' }} explains={texts.takeExplains(name)} />
          <ProbeButton path={`${path}/test`} name={name} />
        </>
      )}
    </Stack>
  )
}

import { isoTime, keyHint } from '../../kit/index.ts'
import { type GatewayState, gatewayStateJson } from './gateway-state.ts'
import { type ProductDetails, productDetailsJson } from './product-json.ts'

/**
 * A product as the console shows it. Webhook keys, and the addresses they are part of, are `whole` for callers who may make them; others
 * see `hints`.
 */
export function productPageJson(
  details: ProductDetails,
  states: readonly GatewayState[],
  { keys, baseUrl }: { keys: 'whole' | 'hints'; baseUrl: string },
) {
  const { webhook_key, ...shown } = productDetailsJson(details)
  const webhookKey = keys === 'whole' ? webhook_key : null
  return {
    ...shown,
    webhook_key: webhookKey,
    api_keys: details.apiKeys.map(({ lastUsedAt }, at) => ({ ...shown.api_keys[at], last_used_at: isoTime(lastUsedAt) })),
    webhook_keys: shown.webhook_keys.map(({ key, ...rest }) => ({ ...rest, hint: keyHint(key), key: keys === 'whole' ? key : null })),
    gateways: states.map((state) => {
      const { product: _, ...json } = gatewayStateJson(state)
      return { ...json, webhook_url: webhookKey && `${baseUrl}/api/webhooks/${state.gateway}/${webhookKey}` }
    }),
  }
}

import { isoTime, type Sealer } from '../../kit/index.ts'
import { type Gateway, type GatewayCredentialsInfo, gatewayCredentialsStore, type Product, webhookKeyStore } from '../../products/index.ts'
import type { Storage } from '../../storage/index.ts'

/** The address of a gateway's deliveries, and the credentials that verify them. */
export interface GatewayPlace {
  gateway: Gateway
  /** The address to register at the gateway; `undefined` when the product has no live webhook key. */
  webhookUrl: string | undefined
  info: GatewayCredentialsInfo | undefined
}

/** A product's addresses and credentials at each of these gateways. */
export async function readGatewayPlaces(
  { id }: Pick<Product, 'id'>,
  gateways: readonly Gateway[],
  { storage, sealer, baseUrl }: { storage: Storage; sealer: Sealer; baseUrl: string },
): Promise<GatewayPlace[]> {
  const infos = await gatewayCredentialsStore(storage.db).list(id)
  const key = (await webhookKeyStore(storage.db).listWebhookKeys(id, sealer)).find(({ revokedAt }) => revokedAt === undefined)?.key
  return gateways.map((gateway) => ({
    gateway,
    webhookUrl: key && `${baseUrl}/api/webhooks/${gateway}/${key}`,
    info: infos.find((info) => info.gateway === gateway),
  }))
}

/** On the command line and in the admin API alike. */
export function gatewayPlaceJson({ gateway, webhookUrl, info }: GatewayPlace) {
  return {
    gateway,
    webhook_url: webhookUrl ?? null,
    is_test: info?.isTest ?? null,
    api_url: info?.apiUrl ?? null,
    created_at: isoTime(info?.createdAt),
    updated_at: isoTime(info?.updatedAt),
  }
}

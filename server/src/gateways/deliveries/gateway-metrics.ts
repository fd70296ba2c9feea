import type { Metrics } from '../../http/index.ts'
import type { Now } from '../../kit/index.ts'
import { notificationListStore } from '../../notifications/index.ts'
import { type Gateway, productStore } from '../../products/index.ts'
import type { Storage } from '../../storage/index.ts'
import { type GatewayHealth, gatewayHealthStore } from './health-store.ts'

/** Metrics of arriving deliveries, labelled with products' slugs. The operator makes the products, so labels are few. */
export function gatewayMetrics(
  metrics: Metrics,
  { storage, gateways, now }: { storage: Storage; gateways: readonly Gateway[]; now: Now },
): void {
  const labels = ['product', 'gateway'] as const
  metrics.gauges('portaria_gateway_last_delivery_seconds', 'Time since the last verified delivery of a gateway', labels, () =>
    readHealth(storage, ({ lastDeliveryAt }) => (lastDeliveryAt === undefined ? undefined : (now() - lastDeliveryAt) / 1000)),
  )
  metrics.counters('portaria_gateway_verification_failures_total', 'Deliveries that could not be verified', labels, () =>
    readHealth(storage, ({ verificationFailures }) => verificationFailures),
  )
  metrics.gauges('portaria_notifications_unresolved', 'Notifications that wait for the operator', ['source'], () =>
    countUnresolved(storage, gateways),
  )
}

async function readHealth({ db }: Storage, numberOf: (health: GatewayHealth) => number | undefined) {
  const slugs = new Map((await productStore(db).listNames()).map(({ id, slug }) => [id, slug]))
  return (await gatewayHealthStore(db).list()).flatMap((health) => {
    const product = slugs.get(health.productId)
    const value = numberOf(health)
    return product === undefined || value === undefined ? [] : [{ labels: { product, gateway: health.gateway }, value }]
  })
}

/** Every possible source, quiet ones too: an alert needs a number to compare with. */
async function countUnresolved({ db }: Storage, gateways: readonly Gateway[]) {
  const open = await notificationListStore(db).countOpen()
  return ['purchase', ...gateways].map((source) => {
    const pending = open.filter((one) => one.source === source && one.state === 'unresolved')
    return { labels: { source }, value: pending.reduce((sum, { count }) => sum + count, 0) }
  })
}

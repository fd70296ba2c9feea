import type { Told } from '../notifications/index.ts'
import { believedTime } from '../subscriptions/index.ts'
import type { GatewayNews } from './gateway.ts'

/** A gateway's news as a notification tells it. `at`: when it was received, in ms. */
export function toTold(news: GatewayNews, { gateway, productId, at }: { gateway: string; productId: string; at: number }): Told {
  const { key, kind, subscriptionId, paymentId, paymentAliases, buyer, amount, method, occurredAt, periodEnd, plan } = news
  return {
    line: { by: 'gateway', productId, subscriptionId, paymentId, paymentAliases: [...paymentAliases] },
    plan: { by: 'gateway', gateway, productId, slugs: [...plan.slugs], refs: [...plan.refs], isOffer: plan.isOffer },
    email: buyer,
    event: { key, kind, at: believedTime(occurredAt, at), paymentId, amount, method, periodEnd },
  }
}

import type { Config } from '../../config.ts'
import { forwardAuthStore, refuseForwardedHost } from '../../products/index.ts'
import type { Storage } from '../../storage/index.ts'
import { OPERATOR_SCOPE, planStore } from '../../subscriptions/index.ts'
import type { Check } from './doctor-check.ts'

/** Hosts behind a proxy at which nobody can enter, whatever they do; nothing where no product has a host. */
export async function checkForwardAuth(config: Config, { db }: Storage): Promise<Check[]> {
  const name = 'forward auth'
  const hosts = await forwardAuthStore(db).listHosts()
  if (hosts.length === 0) return []
  const found: Check[] = []
  if (config.trustProxy === undefined || config.trustProxy === 0)
    found.push({ name, status: 'fail', message: 'every proxy is refused: set PORTARIA_TRUST_PROXY to the address that it asks from' })
  for (const { host } of hosts) {
    const refusal = refuseForwardedHost(host, config)
    if (refusal) found.push({ name, status: 'fail', message: `${host} ${reasons[refusal]}` })
  }
  for (const { product, rule } of new Map(hosts.map((one) => [one.product.id, one])).values()) {
    const plans = rule.access === 'plans' ? [...(await planStore(db).list(OPERATOR_SCOPE)), ...(await planStore(db).list(product.id))] : []
    if (rule.access === 'plans' && !plans.some(({ slug }) => rule.plans.includes(slug)))
      found.push({ name, status: 'warn', message: `nobody can enter ${product.slug}: none of the plans of its rule exists` })
  }
  const products = new Set(hosts.map(({ product }) => product.id)).size
  return found.length > 0 ? found : [{ name, status: 'ok', message: `${hosts.length} hosts of ${products} products` }]
}

const reasons = {
  host_malformed: 'is no host',
  host_off_domain: 'is not below the internal domain: no browser sends it the session',
  host_is_own: "is Portaria's own host: no proxy can ask for it",
} as const

import { readConfig } from '../../../src/config.ts'
import { openContext } from '../../../src/context.ts'
import { adapters } from '../../../src/gateways/adapters.ts'
import { createProduct } from '../../../src/products/index.ts'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { ACCESS_TOKEN, GATEWAY_SECRET } from '../gateways/gateways.ts'
import type { Shop } from './replay-history.ts'
import { PRICES, START } from './simulation/simulation.ts'
import type { Simulated } from './simulators.ts'

/** A product with two plans and a till, over a database of its own, in this process and without a port. */
export async function openShop(url: string, { gateway, refs }: Pick<Simulated, 'gateway' | 'refs'>): Promise<Shop> {
  const clock = { now: START }
  const masterKey = Buffer.alloc(32, 7)
  const read = await readConfig({ DATABASE_URL: url, PORTARIA_MASTER_KEY: masterKey.toString('base64') })
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  const context = await openContext({ ...read.config, masterKey }, { now: () => clock.now, onFault: (fault) => console.error(fault) })
  if ('refusal' in context) throw new Error(context.refusal)
  const deps = { ...context, actor: 'operator:test' } as const
  const product = {
    slug: 'loja',
    name: 'Loja',
    audience: 'external',
    checkout: 'external',
    handoff: 'eg_token',
    scopes: [],
    queryKeyAllowed: true,
    redirectUris: [],
  } as const
  const made = await createProduct({ ...product, scopes: ['read:email'] }, deps)
  if ('refusal' in made) throw new Error(JSON.stringify(made))
  for (const slug of ['basic', 'pro'] as const) {
    const plan = {
      slug,
      name: slug,
      price: PRICES[slug],
      productSlug: 'loja',
      gatewayRefs: gateway ? refs[slug].map((ref) => ({ gateway, ref })) : [],
    }
    const set = await setPlan(plan, deps)
    if ('refusal' in set) throw new Error(JSON.stringify(set))
  }
  const credentials = { webhookSecret: GATEWAY_SECRET, accessToken: ACCESS_TOKEN, apiUrl: undefined, isTest: false }
  const account = gateway && { gateway, adapter: adapters[gateway], product: made.product, credentials }
  return { context, clock, histories: 0, productId: made.product.id, account }
}

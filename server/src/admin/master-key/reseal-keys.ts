import { endpointStore } from '../../app-events/index.ts'
import type { Sealer } from '../../kit/index.ts'
import { gatewayCredentialsStore, webhookKeyStore } from '../../products/index.ts'
import { signingKeyStore } from '../../sessions/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Resealed } from './reseal.ts'
import { allOf, reseal } from './reseal.ts'

export type Keyed = Pick<Resealed, 'signingKeys' | 'webhookKeys' | 'gatewayCredentials' | 'endpoints'>

export async function resealKeys(tx: Transaction, sealer: Sealer): Promise<Keyed> {
  const keys = signingKeyStore(tx)
  const ofWebhooks = webhookKeyStore(tx)
  const signingKeys = (await keys.list()).map(({ kid, privateSealed }) => ({ id: kid, sealed: privateSealed }))
  const rsaKeys = (await keys.list()).flatMap(({ kid, rsa }) => (rsa ? [{ id: kid, sealed: rsa.privateSealed }] : []))
  const webhookKeys = await ofWebhooks.listSealedWebhookKeys()
  const stored = gatewayCredentialsStore(tx)
  const credentials = await stored.holdSealed()
  await reseal({ name: 'signing_keys.rsa_private_sealed', page: allOf(rsaKeys), reseal: keys.resealRsa }, sealer)
  return {
    signingKeys: await reseal({ name: 'signing_keys.private_sealed', page: allOf(signingKeys), reseal: keys.reseal }, sealer),
    webhookKeys: await reseal({ name: 'webhook_keys.sealed', page: allOf(webhookKeys), reseal: ofWebhooks.resealWebhookKey }, sealer),
    gatewayCredentials: await reseal({ name: 'gateway_credentials.sealed', page: allOf(credentials), reseal: stored.reseal }, sealer),
    endpoints: await resealEndpoints(tx, sealer),
  }
}

/** A rotated secret lies beside the new one, and was sealed for the same place. */
async function resealEndpoints(tx: Transaction, sealer: Sealer): Promise<number> {
  const endpoints = endpointStore(tx)
  const name = 'event_endpoints.secret_sealed'
  await reseal({ name, page: allOf(await endpoints.listPreviousSealed()), reseal: endpoints.resealPrevious }, sealer)
  return reseal({ name, page: allOf(await endpoints.listSealed()), reseal: endpoints.reseal }, sealer)
}

import { type GatewayState, listGatewayStates } from '../../admin/index.ts'
import type { Config } from '../../config.ts'
import { type EndpointFaults, examineEndpoints, pingGateway, warnAboutApiUrl } from '../../gateways/index.ts'
import { createGuardedFetch } from '../../guarded-fetch/index.ts'
import type { Sealer } from '../../kit/index.ts'
import { GATEWAYS, gatewayCredentialsStore, gatewaysWith, paymentMethodStore, productStore } from '../../products/index.ts'
import type { Storage } from '../../storage/index.ts'
import { reasonOf } from '../command/faults.ts'
import { offSentence } from '../gateway/gateway-input.ts'
import type { Ask } from './asking.ts'
import type { Check } from './doctor-check.ts'

interface Surroundings {
  config: Config
  storage: Storage
  sealer: Sealer
  ask: Ask
}

/** Tests each product's credentials at its gateways, and looks for an incomplete setup. */
export async function checkGateways(surroundings: Surroundings): Promise<Check[]> {
  const { storage } = surroundings
  const products = await productStore(storage.db).listNames()
  const connected = (await listGatewayStates(storage)).filter(({ credentials }) => credentials !== undefined)
  const found = await Promise.all([
    ...connected.map((state) => checkGateway(state, surroundings)),
    ...products.map((product) => checkMatrix(product, connected, storage)),
  ])
  return found.flat()
}

async function checkGateway(state: GatewayState, surroundings: Surroundings): Promise<Check[]> {
  const name = nameOf(state)
  if (!gatewaysWith(surroundings.config.experiments).includes(state.gateway))
    return [{ name, status: 'warn', message: offSentence(state.gateway) }]
  const warnings = warningsOf(state, surroundings.config).map((message): Check => ({ name, status: 'warn', message }))
  return [...(await surroundings.ask(`the gateway ${state.gateway} for ${state.product}`, () => probe(state, surroundings))), ...warnings]
}

async function probe(state: GatewayState, { config, storage, sealer }: Surroundings): Promise<Check[]> {
  const { productId, gateway } = state
  const name = nameOf(state)
  const { allowPrivate, isDevelopment } = config
  try {
    const credentials = await gatewayCredentialsStore(storage.db).find(productId, gateway, sealer)
    const guardedFetch = createGuardedFetch({ allowPrivate, isDevelopment })
    const fault = credentials && (await pingGateway({ gateway, credentials }, { guardedFetch, now: Date.now }))
    if (credentials && fault === undefined) {
      const found = await examineEndpoints({ gateway, productId, credentials }, { storage, guardedFetch, now: Date.now })
      const message = 'its API takes the access token'
      if (found && 'unread' in found) return [{ name, status: 'ok', message: `${message}. Its webhooks can't be listed: ${found.unread}` }]
      return [{ name, status: 'ok', message }, ...checkEndpoints(state, found)]
    }
    if (fault === undefined) return []
    const place = credentials?.apiUrl === undefined ? '' : `, asked at ${credentials.apiUrl}`
    const warning = credentials?.apiUrl && warnAboutApiUrl(gateway, credentials.apiUrl)
    const message = `${fault.says}${place}. ${warning ? `${warning.says} ` : ''}What its deliveries leave out can't be asked for; other credentials: \`${giving(state)}\``
    return [{ name, status: 'fail', message }]
  } catch (error) {
    return [{ name, status: 'fail', message: `its credentials can't be used (${reasonOf(error)}): give them again: \`${giving(state)}\`` }]
  }
}

function giving({ product, gateway }: GatewayState): string {
  return `portaria product gateway-credentials --slug ${product} --gateway ${gateway} --secrets-stdin`
}

/** Checks the webhook at the gateway itself: otherwise a missing event would show only when the first buyer asks for a refund. */
function checkEndpoints(state: GatewayState, faults: EndpointFaults | undefined): Check[] {
  const name = nameOf(state)
  const reconcile = `\`portaria gateway reconcile --product ${state.product} --gateway ${state.gateway} --since DATE\``
  if (faults?.isOff)
    return [
      {
        name,
        status: 'fail',
        message: `the gateway has switched its webhook off, or paused it: switch it on there, then ${reconcile}`,
      },
    ]
  // A gateway that never delivered anything has a warning of its own.
  if (faults?.isAbsent && state.health?.lastDeliveryAt !== undefined)
    return [
      {
        name,
        status: 'warn',
        message: `no webhook there ends in this product's address, which \`portaria product gateway-credentials --slug ${state.product}\` shows: unless a proxy passes them on from another path, register it, then ${reconcile}`,
      },
    ]
  if (!faults || faults.missing.length === 0) return []
  const message = `its webhook is not sent for ${faults.missing.join(', ')}: tick them there; until then those events come with ${reconcile} alone`
  return [{ name, status: 'warn', message }]
}

function warningsOf({ product, gateway, credentials, health }: GatewayState, { production }: Config): string[] {
  const warnings: string[] = []
  if (health?.failingSince !== undefined) warnings.push('its deliveries fail verification: see `portaria gateway status`')
  else if (health?.lastDeliveryAt === undefined)
    warnings.push(
      `nothing was delivered yet: is its webhook registered? \`portaria product gateway-credentials --slug ${product}\` shows the address`,
    )
  if (production && credentials === 'test')
    warnings.push(`its credentials are a sandbox's (--test), so ${gateway} grants no access to ${product}`)
  return warnings
}

/** A checkout of the operator's own may sell through a gateway and report the payments itself: so it is a question, not a fault. */
async function checkMatrix(
  { id, slug }: { id: string; slug: string },
  connected: readonly GatewayState[],
  { db }: Storage,
): Promise<Check[]> {
  const matrix = await paymentMethodStore(db).listPaymentMethods(id)
  return GATEWAYS.flatMap((gateway) => {
    const methods = matrix.filter((one) => one.gateway === gateway).map(({ method }) => method)
    if (methods.length === 0 || connected.some((state) => state.productId === id && state.gateway === gateway)) return []
    const advice = 'its payments are known only if the checkout sends purchase notifications of them'
    const message = `it takes ${methods.join(', ')}, and there are no credentials for it: ${advice}`
    return [{ name: nameOf({ product: slug, gateway }), status: 'warn', message }]
  })
}

function nameOf({ product, gateway }: Pick<GatewayState, 'product' | 'gateway'>): string {
  return `${gateway} of ${product}`
}

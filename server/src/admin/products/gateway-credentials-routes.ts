import { z } from 'zod'
import { type ApiUrlWarning, parseSecrets, pingGateway, type SecretRefusal, warnAboutApiUrl } from '../../gateways/index.ts'
import {
  type Gateway,
  type GatewaySecretsRefusal,
  gatewayCredentialsStore,
  type Product,
  parseApiUrl,
  removeGatewayCredentials,
  setGatewayCredentials,
} from '../../products/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { refuseTooMany } from '../api/rate-limits.ts'
import { actionBody } from '../api/request/reason.ts'
import { credentialsBody, gatewayPlaceExample, gatewayPlaceSchema, probeExample, probeSchema } from './gateway-credentials-schemas.ts'
import { gatewayPlaceJson, readGatewayPlaces } from './gateway-place.ts'
import { withProduct } from './product-routes.ts'

const path = '/products/:id/gateway-credentials/:gateway'

/** Credentials for gateways: given, tested and removed, never shown. */
export function gatewayCredentialsRoutes(operations: Operations, deps: AdminDeps): void {
  const common = { may: 'product-keys:write', refuses: ['not_found'] } as const
  adminRoute(operations, {
    ...common,
    method: 'PUT',
    path,
    operationId: 'giveGatewayCredentials',
    summary: 'Give a product its credentials for a gateway, in place of those before',
    authentication: 'recent',
    body: credentialsBody,
    answer: { description: 'What can be shown of them', schema: gatewayPlaceSchema, example: gatewayPlaceExample },
    work: (call) => onGateway(call, deps, (product, gateway) => give(product, gateway, call, deps)),
  })
  adminRoute(operations, {
    ...common,
    method: 'DELETE',
    path,
    operationId: 'removeGatewayCredentials',
    summary: 'Take credentials away: deliveries of that gateway are refused from then on',
    authentication: 'recent',
    body: actionBody,
    answer: {
      description: 'They are gone',
      schema: z.object({ id: z.string(), deleted: z.literal(true) }),
      example: { id: 'asaas', deleted: true },
    },
    work: (call) =>
      onGateway(call, deps, async (product, gateway) => {
        const done = await removeGatewayCredentials(product, gateway, { ...deps, actor: call.actor })
        return done === 'not_found' ? { refusal: 'not_found' } : { body: { id: gateway, deleted: true } }
      }),
  })
  adminRoute(operations, {
    ...common,
    method: 'POST',
    path: `${path}/test`,
    operationId: 'testGatewayCredentials',
    summary: "Ask the gateway's API whether it takes the access token",
    description: '10 a minute.',
    answer: {
      description: 'What was found, also where something is wrong',
      schema: probeSchema,
      example: probeExample,
    },
    work: (call) => onGateway(call, deps, (product, gateway) => test(product, gateway, call, deps)),
  })
}

/** A gateway that this installation does not support counts as unknown. */
function onGateway(
  call: Pick<AdminCall<unknown, unknown>, 'id' | 'params'>,
  deps: AdminDeps,
  work: (product: Product, gateway: Gateway) => Promise<AdminAnswer>,
): Promise<AdminAnswer> {
  const gateway = deps.gateways.find((name) => name === call.params.gateway)
  return withProduct(call, deps, async (product) => (gateway ? work(product, gateway) : { refusal: 'not_found' }))
}

async function give(
  product: Product,
  gateway: Gateway,
  { body, actor }: AdminCall<unknown, z.output<typeof credentialsBody>>,
  deps: AdminDeps,
): Promise<AdminAnswer> {
  const { webhook_secret, access_token, api_url: given, is_test: isTest = false } = body
  const address = given ?? undefined
  const secrets = parseSecrets(gateway, JSON.stringify({ webhook_secret, access_token }))
  if ('refusal' in secrets) return { refusal: 'malformed', fields: { [fieldOf[secrets.refusal]]: secrets.refusal } }
  const apiUrl = address === undefined ? undefined : parseApiUrl(address, deps)
  if (address !== undefined && apiUrl === undefined) return { refusal: 'malformed', fields: { api_url: 'address_malformed' } }
  await setGatewayCredentials(product, { gateway, credentials: { ...secrets, apiUrl, isTest } }, { ...deps, actor })
  const [place] = await readGatewayPlaces(product, [gateway], deps)
  return { body: { ...(place && gatewayPlaceJson(place)), warning: warningOf(gateway, apiUrl) } }
}

/** No answer holds any part of a secret, not even of a refused one. */
const fieldOf = {
  not_an_object: 'webhook_secret',
  unknown_key: 'webhook_secret',
  webhook_secret_malformed: 'webhook_secret',
  access_token_malformed: 'access_token',
  secret_not_an_object: 'webhook_secret',
  account_malformed: 'webhook_secret',
  keys_malformed: 'webhook_secret',
  keys_unusable: 'webhook_secret',
} as const satisfies Record<GatewaySecretsRefusal['refusal'] | SecretRefusal, string>

async function test(
  product: Product,
  gateway: Gateway,
  call: Pick<AdminCall<unknown, unknown>, 'caller'>,
  deps: AdminDeps,
): Promise<AdminAnswer> {
  const refused = await refuseTooMany('gateway-test', call, deps)
  if (refused) return refused
  const credentials = await gatewayCredentialsStore(deps.storage.db).find(product.id, gateway, deps.sealer)
  if (!credentials) return { refusal: 'not_found' }
  const fault = await pingGateway({ gateway, credentials }, deps)
  const well = { says: 'its API takes the access token', code: null, values: {} }
  return { body: { ok: fault === undefined, ...(fault ?? well), warning: warningOf(gateway, credentials.apiUrl) } }
}

function warningOf(gateway: Gateway, apiUrl: string | undefined): ApiUrlWarning | null {
  return (apiUrl === undefined ? undefined : warnAboutApiUrl(gateway, apiUrl)) ?? null
}

import type { Command } from 'commander'
import { type GatewayPlace, gatewayPlaceJson, readGatewayPlaces } from '../../admin/index.ts'
import { parseSecrets, warnAboutApiUrl } from '../../gateways/index.ts'
import {
  type Gateway,
  type GatewayCredentials,
  type GatewayCredentialsInfo,
  type Product,
  parseApiUrl,
  removeGatewayCredentials,
  setGatewayCredentials,
} from '../../products/index.ts'
import { type CliContext, OPERATOR } from '../command/cli-context.ts'
import { readSecret } from '../command/input.ts'
import { fields, paragraphs, type Text, table } from '../command/layout.ts'
import type { LocalTime } from '../command/local-time.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { oneGateway } from '../gateway/gateway-input.ts'
import { gatewaySecretsSentence } from '../sentences/gateway-secrets-sentences.ts'
import { addWhich, onProduct, type ProductOptions } from './on-product.ts'

interface CredentialsOptions extends ProductOptions {
  gateway?: Gateway
  apiUrl?: string
  test?: boolean
  secretsStdin?: boolean
  remove?: boolean
}

const EXAMPLE = `product gateway-credentials --slug shop --gateway asaas --secrets-stdin < secrets.json

  with {"webhook_secret": "…", "access_token": "…"} in secrets.json. Without --secrets-stdin it shows what there is, and the
  address to register at each gateway.`

/** `gateway-credentials`: a product's credentials for gateways. Secrets come in by standard input and never go out. */
export function addGatewayCredentials(product: Command, cli: CliContext): void {
  addWhich(product, 'gateway-credentials', { summary: "show, give or remove a product's credentials for gateways", example: EXAMPLE })
    .option('--gateway <gateway>', cli.gateways.join(', '), oneGateway(cli))
    .option(
      '--secrets-stdin',
      'read webhook_secret and access_token, as JSON, from standard input (at a terminal they are asked for, unseen)',
    )
    .option('--api-url <url>', "another address of the gateway's API, path and all, such as its sandbox's")
    .option('--test', 'they belong to a sandbox: its payments are recorded as tests')
    .option('--remove', 'remove the credentials')
    .action((slug: string | undefined, options: CredentialsOptions) => cli.print(options, credentials(slug, options, cli)))
}

async function credentials(slug: string | undefined, options: CredentialsOptions, cli: CliContext): Promise<Outcome> {
  const { gateway, apiUrl, test, secretsStdin, remove } = options
  if (!secretsStdin && (apiUrl !== undefined || test))
    return { misuse: '--api-url and --test come with the secrets they belong to: add --secrets-stdin' }
  if (secretsStdin && remove) return { misuse: '--secrets-stdin and --remove contradict each other: give one of the two' }
  if (!secretsStdin && !remove) return onProduct(slug, options, cli, (product, context) => show(product, gateway, context))
  if (gateway === undefined) return { misuse: `name the gateway: --gateway ${cli.gateways.join(', ')}` }
  if (remove) return onProduct(slug, options, cli, (product, context) => takeAway(product, gateway, context))
  const secrets = parseSecrets(gateway, await readSecret('{"webhook_secret": …, "access_token": …}', cli))
  if ('refusal' in secrets) return { complaint: gatewaySecretsSentence(secrets) }
  return onProduct(slug, options, cli, (product, context) => {
    const address = apiUrl === undefined ? undefined : parseApiUrl(apiUrl, context.config)
    if (apiUrl !== undefined && address === undefined) return refuse(API_URL_FORM)
    return give(product, { gateway, credentials: { ...secrets, apiUrl: address, isTest: test === true } }, context)
  })
}

// The input is not repeated: it may contain a secret.
const API_URL_FORM =
  'the API address must be https:// (http:// only while PORTARIA_URL is this machine), without query, # part or user name, 500 characters at most'

async function give(
  product: Product,
  given: { gateway: Gateway; credentials: GatewayCredentials },
  context: CommandContext,
): Promise<Outcome> {
  await setGatewayCredentials(product, given, { ...context, actor: OPERATOR })
  return show(product, given.gateway, context)
}

async function takeAway(product: Product, gateway: Gateway, context: CommandContext): Promise<Outcome> {
  const done = await removeGatewayCredentials(product, gateway, { ...context, actor: OPERATOR })
  if (done === 'not_found')
    return { complaint: `there are no credentials for ${gateway}: see \`portaria product gateway-credentials ${product.slug}\`` }
  return {
    json: { product_id: product.id, gateway, removed: true },
    text: `Removed: what ${gateway} sends is refused from now on. End its webhook and its access token there too.`,
  }
}

/** One gateway in full, or all of them in a table. */
async function show(
  product: Product,
  gateway: Gateway | undefined,
  { storage, sealer, config, gateways, localTime }: CommandContext,
): Promise<Outcome> {
  const [one] = gateway === undefined ? [] : await readGatewayPlaces(product, [gateway], { storage, sealer, baseUrl: config.baseUrl })
  if (one) return { json: gatewayPlaceJson(one), text: inFull(one, product, localTime) }
  const places = await readGatewayPlaces(product, gateways, { storage, sealer, baseUrl: config.baseUrl })
  const rows = places.map(({ gateway: name, info }) => [name, stateOf(info), localTime(info?.updatedAt) ?? '', info?.apiUrl ?? ''])
  const addresses = places.map(({ webhookUrl }) => `  ${webhookUrl}`).join('\n')
  const next = places.some(({ webhookUrl }) => webhookUrl === undefined)
    ? noKey(product)
    : `The webhook address to register at each gateway:\n${addresses}`
  return { json: places.map(gatewayPlaceJson), text: paragraphs(table(['gateway', 'credentials', 'since', 'API address'], rows), next) }
}

function inFull({ gateway, webhookUrl, info }: GatewayPlace, product: Product, localTime: LocalTime): Text {
  const shown = fields([
    ['gateway', gateway],
    ['credentials', stateOf(info)],
    ['since', localTime(info?.updatedAt)],
    ['API address', info && (info.apiUrl ?? "the gateway's own")],
    ['webhook address', webhookUrl],
  ])
  const warning = info?.apiUrl && warnAboutApiUrl(gateway, info.apiUrl)?.says
  return paragraphs(shown, warning, webhookUrl === undefined ? noKey(product) : `Register the webhook address at ${gateway}.`)
}

function stateOf(info: GatewayCredentialsInfo | undefined): string {
  if (!info) return 'none'
  return info.isTest ? 'test' : 'live'
}

function noKey({ slug }: Product): string {
  return `No live webhook key, so there is no address to register: make one with \`portaria product rotate-webhook-key ${slug}\``
}

async function refuse(complaint: string): Promise<Outcome> {
  return { complaint }
}

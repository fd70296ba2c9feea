import type { Command } from 'commander'
import { type ForwardAuthChange, setForwardAuth } from '../../forward-auth/index.ts'
import {
  changeProduct,
  isScope,
  METHODS,
  type PaymentMethod,
  type Product,
  type ProductChange,
  parseGrace,
  parsePaymentMethod,
  paymentMethodStore,
  productStore,
  SCOPES,
} from '../../products/index.ts'
import { setGrace } from '../../subscriptions/index.ts'
import { FOREIGNERS, type Foreigners, type ProfileRequirements, REQUIREMENTS, type Requirement } from '../../users/index.ts'
import { type CliContext, OPERATOR } from '../command/cli-context.ts'
import { collect, oneOf, parsedBy } from '../command/input.ts'
import { paragraphs, table } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { withGateway } from '../gateway/gateway-input.ts'
import { forwardAuthSentence } from '../sentences/forward-auth-sentences.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { addWhich, onProduct, type ProductOptions, showProduct } from './on-product.ts'
import { addOpenId, type OpenIdOptions, openIdChange } from './product-openid.ts'

export const parseRequires = parsedBy(requiresOf, 'any of tax-id, phone, company, with commas between them, or none')

function requiresOf(text: string): Requirement[] | undefined {
  if (text === 'none') return []
  const names = text.split(/[\s,]+/).map((name) => name.replaceAll('-', '_'))
  return names.every((name) => REQUIREMENTS.some((one) => one === name)) ? REQUIREMENTS.filter((one) => names.includes(one)) : undefined
}

/** The options for a product's requirements of its users, on `create` and `set` alike. */
export function addRequirements(command: Command, usual = ''): Command {
  return command
    .option('--requires <data>', `the data that it requires of its users: tax-id, phone, company; or none${usual}`, parseRequires)
    .option('--foreigners <way>', 'for users without a CPF or CNPJ: refused, document (a foreign one instead) or exempt', oneOf(FOREIGNERS))
}

export interface RequirementOptions {
  requires?: Requirement[]
  foreigners?: Foreigners
}

export function requirementsOf({ requires, foreigners }: RequirementOptions): Partial<ProfileRequirements> {
  return { ...(requires && { requires }), ...(foreigners && { foreigners }) }
}

export const parseScopes = parsedBy(scopesOf, `any of ${SCOPES.join(' ')}, with spaces between them`)

function scopesOf(text: string): Product['scopes'] | undefined {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  return names.every(isScope) ? names.filter(isScope) : undefined
}

interface SetOptions extends ProductOptions, RequirementOptions, OpenIdOptions {
  name?: string
  checkout?: Product['checkout']
  handoff?: Product['handoff']
  scopes?: Product['scopes']
  queryKey?: boolean
  addUri?: string[]
  addTrustedUri?: string[]
  removeUri?: string[]
  grace?: Grace[]
  forwardAuth?: ForwardAuthOption
  addForwardHost?: string[]
  removeForwardHost?: string[]
}

type Grace = NonNullable<ReturnType<typeof parseGrace>>

export function addSet(product: Command, cli: CliContext): void {
  const asIs = collect((uri: string) => uri)
  const grace = parsedBy(parseGrace, `METHOD=DAYS, with ${METHODS.join(', ')} and 0 to 60`)
  const command = addWhich(product, 'set', {
    summary: 'change a product',
    example: 'product set academy --add-uri https://academy.example.com/callback',
  })
    .option('--name <name>', 'the name that users see')
    .option('--checkout <checkout>', 'integrated or external', oneOf(['integrated', 'external']))
    .option('--handoff <handoff>', 'eg_session or eg_token, for an internal product', oneOf(['eg_session', 'eg_token']))
    .option('--scopes <scopes>', `the data that it may see of users: ${SCOPES.join(' ')}`, parseScopes)
  addOpenId(addRequirements(command))
    .option('--query-key', 'accept the API key as a query parameter of check-access too')
    .option('--no-query-key', 'refuse the API key there')
    .option('--add-uri <uri>', 'register a redirect URI; may be repeated', asIs)
    .option(
      '--add-trusted-uri <uri>',
      'register a redirect URI outside of the internal domain that gets the session all the same; may be repeated',
      asIs,
    )
    .option('--remove-uri <uri>', 'may be repeated; removed before any is added', asIs)
    .option('--grace <method=days>', 'days of access after the paid end, by payment method; may be repeated', collect(grace))
    .option('--forward-auth <rule>', `who may pass a proxy that asks: ${FORWARD_RULES}`, parsedBy(parseForwardAuth, FORWARD_RULES))
    .option('--add-forward-host <host>', 'a host behind that proxy, as in wiki.example.com; may be repeated', asIs)
    .option('--remove-forward-host <host>', 'may be repeated', asIs)
    .action((slug: string | undefined, options: SetOptions) => cli.print(options, set(slug, options, cli)))
}

async function set(slug: string | undefined, options: SetOptions, cli: CliContext): Promise<Outcome> {
  const { grace = [] } = options
  const { json: _json, slug: _slug, ...asked } = options
  const forwardAuth = forwardAuthOf(options)
  if (forwardAuth === 'off' && (options.addForwardHost || options.removeForwardHost))
    return { misuse: '--forward-auth off removes all hosts: give it alone' }
  if (Object.keys(asked).length === 0) return { misuse: 'nothing to change: give at least one option; see `portaria product set --help`' }
  return onProduct(slug, options, cli, async (product, context) => {
    const other = options.clientDocuments === 'on' ? await otherTaker(product, context) : undefined
    if (other) return { complaint: `${other} takes them already: \`portaria product set ${other} --client-documents off\` first` }
    const openid = openIdChange(product, options)
    return apply(product, { change: { ...changeOf(options), ...(openid && { openid }) }, grace, forwardAuth }, context)
  })
}

/** The slug of another product by which clients that describe themselves sign in. Nothing in their requests names one of two. */
async function otherTaker({ id }: Product, { storage }: CommandContext): Promise<string | undefined> {
  const clients = await productStore(storage.db).listOpenIdClients()
  return clients.find(({ product }) => product.openid.takesDocuments && product.id !== id)?.product.slug
}

function changeOf(options: SetOptions): ProductChange {
  const { name, checkout, handoff, scopes, queryKey, addUri = [], addTrustedUri = [], removeUri, backchannelLogoutUri } = options
  const requirements = requirementsOf(options)
  const addUris = [...addUri.map((uri) => ({ uri, trusted: false })), ...addTrustedUri.map((uri) => ({ uri, trusted: true }))]
  return {
    ...(name !== undefined && { name }),
    ...(checkout !== undefined && { checkout }),
    ...(handoff !== undefined && { handoff }),
    ...(scopes !== undefined && { scopes }),
    ...(queryKey !== undefined && { queryKeyAllowed: queryKey }),
    ...(Object.keys(requirements).length > 0 && { requirements }),
    ...(addUris.length > 0 && { addUris }),
    ...(removeUri !== undefined && { removeUris: removeUri }),
    ...(backchannelLogoutUri !== undefined && { backchannelLogoutUri }),
  }
}

const FORWARD_RULES = 'signed-in, any-plan, plan=SLUG,SLUG or off'

type ForwardAuthOption = Pick<ForwardAuthChange, 'access' | 'plans'> | 'off'

function parseForwardAuth(text: string): ForwardAuthOption | undefined {
  if (text === 'off') return 'off'
  if (text === 'signed-in') return { access: 'signed_in' }
  if (text === 'any-plan') return { access: 'any_plan' }
  const plans = text.startsWith('plan=')
    ? text
        .slice('plan='.length)
        .split(',')
        .filter((slug) => slug !== '')
    : []
  return plans.length > 0 ? { access: 'plans', plans } : undefined
}

/** Hosts alone begin with the rule `signed-in` where the product has none yet. */
function forwardAuthOf({ forwardAuth, addForwardHost, removeForwardHost }: SetOptions): ForwardAuthChange | 'off' | undefined {
  if (forwardAuth === 'off') return 'off'
  if (!forwardAuth && !addForwardHost && !removeForwardHost) return undefined
  return {
    ...forwardAuth,
    ...(addForwardHost && { addHosts: addForwardHost }),
    ...(removeForwardHost && { removeHosts: removeForwardHost }),
  }
}

interface MatrixOptions extends ProductOptions {
  set?: PaymentMethod[]
  unset?: Array<PaymentMethod['method']>
}

/** `gateway-matrix`: the gateway for each payment method. */
export function addMatrix(product: Command, cli: CliContext): void {
  const entry = withGateway(parsePaymentMethod, `METHOD=GATEWAY, with ${METHODS.join(', ')} and ${cli.gateways.join(', ')}`, cli)
  const example = 'product gateway-matrix --slug academy --set pix=asaas --set card=stripe'
  addWhich(product, 'gateway-matrix', { summary: 'show or change which gateway takes which payments', example })
    .option('--set <method=gateway>', 'may be repeated; other methods stay as they are', collect(entry))
    .option('--unset <method>', 'no longer offer a method; may be repeated', collect(oneOf(METHODS)))
    .action((slug: string | undefined, options: MatrixOptions) =>
      cli.print(
        options,
        onProduct(slug, options, cli, (product, context) => matrix(product, options, context)),
      ),
    )
}

async function matrix(product: Product, { set = [], unset = [] }: MatrixOptions, context: CommandContext): Promise<Outcome> {
  if (product.checkout === 'external') return { complaint: productSentence({ refusal: 'matrix_needs_integrated' }) }
  const current = await paymentMethodStore(context.storage.db).listPaymentMethods(product.id)
  if (set.length + unset.length > 0) {
    const wanted = new Map([...current, ...set].map(({ method, gateway }) => [method, gateway]))
    for (const method of unset) wanted.delete(method)
    const paymentMethods = [...wanted].map(([method, gateway]) => ({ method, gateway }))
    const changed = await changeProduct(product.slug, { paymentMethods }, { ...context, actor: OPERATOR })
    if ('refusal' in changed) return { complaint: productSentence(changed) }
  }
  const methods = await paymentMethodStore(context.storage.db).listPaymentMethods(product.id)
  const rows = METHODS.map((method) => [method, methods.find((one) => one.method === method)?.gateway ?? 'not offered'])
  const hint = methods.length === 0 ? `Set one:  portaria product gateway-matrix ${product.slug} --set pix=asaas` : undefined
  return { json: methods, text: paragraphs(table(['method', 'gateway'], rows), hint) }
}

async function apply(
  product: Product,
  { change, grace, forwardAuth }: { change: ProductChange; grace: readonly Grace[]; forwardAuth: ForwardAuthChange | 'off' | undefined },
  context: CommandContext,
): Promise<Outcome> {
  const { slug } = product
  const isChange = Object.keys(change).length > 0
  const changed = isChange ? await changeProduct(slug, change, { ...context, actor: OPERATOR }) : product
  if ('refusal' in changed) return { complaint: productSentence(changed) }
  const set = grace.length > 0 ? await setGrace(slug, grace, { ...context, actor: OPERATOR }) : changed
  if ('refusal' in set) return { complaint: productSentence(set) }
  const { cookieDomain, baseUrl } = context.config
  const asked = forwardAuth && (await setForwardAuth(product.id, forwardAuth, { ...context, cookieDomain, baseUrl, actor: OPERATOR }))
  if (asked && 'refusal' in asked) return { complaint: asked.refusal === 'not_found' ? productSentence(asked) : forwardAuthSentence(asked) }
  return showProduct(changed, context)
}

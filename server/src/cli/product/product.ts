import type { Command } from 'commander'
import { productDetailsJson, productJson, readProductDetails } from '../../admin/index.ts'
import { addApiKey, createProduct, type Product, productStore, revokeApiKey, rotateWebhookKey, SCOPES } from '../../products/index.ts'
import { USUAL_REQUIREMENTS } from '../../users/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { collect, oneOf } from '../command/input.ts'
import { fields, paragraphs } from '../command/layout.ts'
import { type CommandContext, withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, moreHint, type PageOptions, pageOf } from '../command/paging.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { addWhich, onProduct, type ProductOptions, showProduct, WHICH } from './on-product.ts'
import { addGatewayCredentials } from './product-credentials.ts'
import { addMatrix, addRequirements, addSet, parseScopes, type RequirementOptions, requirementsOf } from './product-set.ts'
import { addSnippet } from './product-snippet.ts'
import { productFields, productTable, uriHint } from './product-view.ts'

/** `portaria product …`: the registered apps. */
export function productCommands(program: Command, cli: CliContext): void {
  const product = program.command('product').description('apps, their addresses and keys')
  addCreate(product, cli)
  addList(product, { summary: 'list products, oldest first', example: 'product list' }).action((options: PageOptions) =>
    cli.onDatabase(options, (context) => list(options, context)),
  )
  addWhich(product, 'show', { summary: 'show a product, its addresses and keys', example: 'product show academy' }).action(
    (slug: string | undefined, options: ProductOptions) => cli.print(options, onProduct(slug, options, cli, showProduct)),
  )
  addSet(product, cli)
  addKeys(product, cli)
  addMatrix(product, cli)
  addGatewayCredentials(product, cli)
  addSnippet(product, cli)
}

interface CreateOptions extends Pick<Product, 'slug' | 'name' | 'audience' | 'checkout'>, RequirementOptions {
  json?: boolean
  redirectUri?: string[]
  trustedUri?: string[]
  handoff?: Product['handoff']
  scopes?: Product['scopes']
  queryKey: boolean
}

function addCreate(product: Command, cli: CliContext): void {
  const example =
    'product create --slug academy --name Academy --audience internal --checkout integrated --redirect-uri https://academy.example.com/callback'
  const asIs = collect((uri: string) => uri)
  const command = addVerb(product, 'create', { summary: 'register an app and make its keys', example })
    .requiredOption('--slug <slug>', 'short name for addresses and commands')
    .requiredOption('--name <name>', 'the name that users see')
    .requiredOption(
      '--audience <audience>',
      'internal (shares the session) or external (gets one of its own)',
      oneOf(['internal', 'external']),
    )
    .requiredOption(
      '--checkout <checkout>',
      'integrated (the operator sells) or external (the app does)',
      oneOf(['integrated', 'external']),
    )
    .option('--redirect-uri <uri>', 'the address to return to after the sign-in; may be repeated', asIs)
    .option(
      '--trusted-uri <uri>',
      'a redirect URI outside of the internal domain that gets the session all the same; may be repeated',
      asIs,
    )
    .option('--handoff <handoff>', 'eg_session or eg_token; external products always get eg_token', oneOf(['eg_session', 'eg_token']))
    .option('--scopes <scopes>', `the data that it may see of users (default: "${SCOPES.join(' ')}")`, parseScopes)
  addRequirements(command, ' (default: all of it)')
    .option('--no-query-key', 'refuse the API key as a query parameter of check-access')
    .action((options: CreateOptions) => cli.print(options, create(options, cli)))
}

async function create(options: CreateOptions, cli: CliContext): Promise<Outcome> {
  const { slug, name, audience, checkout, redirectUri = [], trustedUri = [], scopes = SCOPES, queryKey: queryKeyAllowed } = options
  if (audience === 'external' && options.handoff === 'eg_session')
    return { misuse: 'an external product always gets eg_token: leave --handoff out' }
  const handoff = options.handoff ?? (audience === 'external' ? 'eg_token' : 'eg_session')
  const redirectUris = [...redirectUri.map((uri) => ({ uri, trusted: false })), ...trustedUri.map((uri) => ({ uri, trusted: true }))]
  return withNewContext(cli, async (context) => {
    const requirements = { ...USUAL_REQUIREMENTS, ...requirementsOf(options) }
    const input = { slug, name, audience, checkout, handoff, scopes, queryKeyAllowed, requirements, redirectUris }
    const made = await createProduct(input, { ...context, actor: OPERATOR })
    if ('refusal' in made) return { complaint: productSentence(made) }
    const details = await readProductDetails(made.product, context)
    const { id, publishable_key, webhook_key, ...rest } = productDetailsJson(details)
    return {
      json: { id, publishable_key, api_key: made.apiKey, webhook_key, ...rest },
      text: paragraphs(productFields(details, context), shownOnce(made.apiKey), uriHint(details, context)),
    }
  })
}

async function list(options: PageOptions, { storage }: CommandContext): Promise<Outcome> {
  const products = await productStore(storage.db).list(pageOf(options))
  return { json: products.map(productJson), text: paragraphs(productTable(products), moreHint(products, options)) }
}

function addKeys(product: Command, cli: CliContext): void {
  addWhich(product, 'add-key', { summary: 'make one more API key; the others stay good', example: 'product add-key academy' }).action(
    (slug: string | undefined, options: ProductOptions) => cli.print(options, onProduct(slug, options, cli, addKey)),
  )
  addVerb(product, 'revoke-key', { summary: 'end one API key at once', example: 'product revoke-key academy 0199c2…' })
    .argument('[product]', WHICH)
    .argument('[key]', "the key's id, as `product show` lists it")
    .option('--slug <slug>', WHICH)
    .option('--key <id>', "the key's id")
    .action((first: string | undefined, second: string | undefined, options: ProductOptions & { key?: string }) =>
      cli.print(
        options,
        revokeKey(
          [first, second].filter((argument) => argument !== undefined),
          options,
          cli,
        ),
      ),
    )
  addWhich(product, 'rotate-webhook-key', {
    summary: 'make a new webhook key; the last one stays good',
    example: 'product rotate-webhook-key shop',
  }).action((slug: string | undefined, options: ProductOptions) => cli.print(options, onProduct(slug, options, cli, rotateKey)))
}

async function addKey(product: Product, context: CommandContext): Promise<Outcome> {
  const { id, apiKey } = await addApiKey(product, { ...context, actor: OPERATOR })
  return { json: { id, product_id: product.id, api_key: apiKey }, text: paragraphs(fields([['id', id]]), shownOnce(apiKey)) }
}

async function revokeKey(args: string[], { slug, key, ...options }: ProductOptions & { key?: string }, cli: CliContext): Promise<Outcome> {
  const which = slug ?? args.shift()
  const id = key ?? args.shift()
  if (id === undefined || args.length > 0)
    return { misuse: 'name the product and the key: `portaria product revoke-key academy KEY-ID`; `product show` lists the ids' }
  return onProduct(which, options, cli, async (product, context) => {
    const done = await revokeApiKey(product, id, { ...context, actor: OPERATOR })
    if (done === 'not_found')
      return { complaint: `this product has no live API key with that id: see \`portaria product show ${product.slug}\`` }
    return { json: { id, product_id: product.id, revoked: true }, text: 'Revoked: it is refused everywhere within 2 seconds.' }
  })
}

async function rotateKey(product: Product, context: CommandContext): Promise<Outcome> {
  const key = await rotateWebhookKey(product, { ...context, actor: OPERATOR })
  const next = "The key before it stays good until the next rotation. Put this address into each gateway's dashboard:"
  return {
    json: { product_id: product.id, webhook_key: key },
    text: paragraphs(next, `  ${context.config.baseUrl}/api/webhooks/<gateway>/${key}`),
  }
}

function shownOnce(apiKey: string): string {
  return `API key, shown this once, keep it now:\n  ${apiKey}`
}

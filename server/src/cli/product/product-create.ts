import type { Command } from 'commander'
import { productDetailsJson, readProductDetails } from '../../admin/index.ts'
import { createProduct, type Product, SCOPES } from '../../products/index.ts'
import { USUAL_REQUIREMENTS } from '../../users/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { collect, oneOf } from '../command/input.ts'
import { paragraphs } from '../command/layout.ts'
import { withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { shownOnce } from './product-keys.ts'
import { productFields, uriHint } from './product-view.ts'
import { addRequirements, type RequirementOptions, requirementsOf } from './requirement-options.ts'
import { parseScopes } from './scope-options.ts'

interface CreateOptions extends Pick<Product, 'slug' | 'name' | 'audience' | 'checkout'>, RequirementOptions {
  json?: boolean
  redirectUri?: string[]
  trustedUri?: string[]
  handoff?: Product['handoff']
  scopes?: Product['scopes']
  queryKey: boolean
}

export function addCreate(product: Command, cli: CliContext): void {
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

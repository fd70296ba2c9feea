import type { Command } from 'commander'
import { METHODS, type Product, parseGrace, productStore, SCOPES } from '../../products/index.ts'
import type { CliContext } from '../command/cli-context.ts'
import { collect, oneOf, parsedBy } from '../command/input.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { FORWARD_RULES, forwardAuthOf, parseForwardAuth } from './forward-auth-options.ts'
import { addWhich, onProduct } from './on-product.ts'
import { changeSettings, productChangeOf, type SetOptions } from './product-change.ts'
import { addOpenId, openIdChange } from './product-openid.ts'
import { addRequirements } from './requirement-options.ts'
import { parseScopes } from './scope-options.ts'

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
    return changeSettings(product, { change: { ...productChangeOf(options), ...(openid && { openid }) }, grace, forwardAuth }, context)
  })
}

/** The slug of another product by which clients that describe themselves sign in. Nothing in their requests names one of two. */
async function otherTaker({ id }: Product, { storage }: CommandContext): Promise<string | undefined> {
  const clients = await productStore(storage.db).listOpenIdClients()
  return clients.find(({ product }) => product.openid.takesDocuments && product.id !== id)?.product.slug
}

import type { Command } from 'commander'
import { planJson, planSlugs } from '../admin/index.ts'
import type { AppContext } from '../context.ts'
import { productStore } from '../products/index.ts'
import { BELOW_PRICE, type Plan, parseGatewayRef, planStore, setPlan } from '../subscriptions/index.ts'
import { addVerb, type CliContext, OPERATOR } from './command/cli-context.ts'
import { collect, oneOf, parsedBy } from './command/input.ts'
import { fields } from './command/layout.ts'
import { reais } from './command/money.ts'
import type { Outcome } from './command/output.ts'
import { addList, listed, type PageOptions, pageFrom } from './command/paging.ts'
import { withGateway } from './gateway/gateway-input.ts'
import { planSentence } from './sentences/plan-sentences.ts'

interface SetOptions {
  json?: boolean
  slug: string
  name: string
  price: number
  belowPrice?: Plan['belowPrice']
  product?: string
  gatewayRef?: Array<Plan['gatewayRefs'][number]>
}

/** At most a thousand million reais. */
function parsePrice(text: string): number | undefined {
  return /^\d{1,11}$/.test(text) ? Number(text) : undefined
}

interface ListOptions extends PageOptions {
  product?: string
}

/** `portaria plan …`: the plans for sale. */
export function planCommands(program: Command, cli: CliContext): void {
  const plan = program.command('plan').description('plans on offer, of the operator and of products')
  const gatewayRef = withGateway(parseGatewayRef, `GATEWAY:REF, with ${cli.gateways.join(', ')}, as in stripe:price_123`, cli)
  addVerb(plan, 'set', {
    summary: 'make a plan, or change the one with this slug',
    example: 'plan set --slug easy-pro --name "Easy Pro" --price 9900',
  })
    .requiredOption('--slug <slug>', 'names the plan in addresses and messages')
    .requiredOption('--name <name>', 'the name that users see')
    .requiredOption('--price <centavos>', 'whole centavos: 9900 is R$ 99,00', parsedBy(parsePrice, 'whole centavos, as 9900 for R$ 99,00'))
    .option(
      '--below-price <apply|hold>',
      'what becomes of a payment below the price: it is applied, as is usual, or waits for you',
      oneOf(BELOW_PRICE),
    )
    .option('--product <slug>', "a product's own plan; without it the operator's")
    .option(
      '--gateway-ref <gateway:ref>',
      "a gateway's price, product or payment link that buys it; may be repeated, replaces those before",
      collect(gatewayRef),
    )
    .action((options: SetOptions) => cli.onNewDatabase(options, (context) => set(options, context)))
  addList(plan, { summary: 'list plans in price order', example: 'plan list --product academy' })
    .option('--product <slug>', "only this product's plans")
    .action((options: ListOptions) => cli.onDatabase(options, (context) => list(options, context)))
}

async function set({ slug, name, price, belowPrice, product, gatewayRef }: SetOptions, context: AppContext): Promise<Outcome> {
  const input = {
    slug,
    name,
    price,
    ...(belowPrice && { belowPrice }),
    ...(product !== undefined && { productSlug: product }),
    ...(gatewayRef && { gatewayRefs: gatewayRef }),
  }
  const plan = await setPlan(input, { ...context, actor: OPERATOR })
  if ('refusal' in plan) return { complaint: planSentence(plan) }
  return {
    json: planJson(plan, product),
    text: fields([
      ['id', plan.id],
      ['slug', plan.slug],
      ['name', plan.name],
      ['price', reais(plan.price)],
      ['below its price', plan.belowPrice],
      ['product', product ?? 'none: a plan of the operator'],
      ['bought by', plan.gatewayRefs.map(({ gateway, ref }) => `${gateway}:${ref}`)],
    ]),
  }
}

async function list(options: ListOptions, { storage }: AppContext): Promise<Outcome> {
  const wanted = options.product === undefined ? undefined : await productStore(storage.db).findBySlug(options.product)
  if (options.product !== undefined && !wanted) return { complaint: planSentence({ refusal: 'no_such_product' }) }
  const plans = pageFrom(await planStore(storage.db).list(wanted?.id), ({ id }) => id, options)
  const slugs = await planSlugs(plans, storage.db)
  return listed(plans, options, {
    nothing: 'No plans yet: the first start of the service makes three.',
    headings: ['slug', 'name', 'price', 'below it', 'product', 'id'],
    row: (plan) => [plan.slug, plan.name, reais(plan.price), plan.belowPrice, slugs.get(plan.scope) ?? '', plan.id],
    json: (plan) => planJson(plan, slugs.get(plan.scope)),
  })
}

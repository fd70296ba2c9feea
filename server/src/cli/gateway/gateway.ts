import type { Command } from 'commander'
import { createMerchantAccounts, type MerchantAccount, type Reconciliation, reconcile } from '../../gateways/index.ts'
import { createGuardedFetch } from '../../guarded-fetch/index.ts'
import { DAY_MS } from '../../kit/index.ts'
import { type Gateway, productStore } from '../../products/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { reasonOf } from '../command/faults.ts'
import { parsedBy, parseSince, type Since } from '../command/input.ts'
import { paragraphs } from '../command/layout.ts'
import { type CommandContext, withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'
import { pendingTexts } from '../sentences/notification-sentences.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { oneGateway } from './gateway-input.ts'
import { gatewayStatus } from './gateway-status.ts'

interface ReconcileOptions {
  json?: boolean
  product: string
  gateway: Gateway
  since: Since
}

/** `portaria gateway …`: the state of payment gateways, and events that they may have failed to send. */
export function gatewayCommands(program: Command, cli: CliContext): void {
  const gateway = program.command('gateway').description('payment gateways: the state of their deliveries, and missed payments')
  addVerb(gateway, 'reconcile', {
    summary: 'ask a gateway for what happened since a day, and apply what its deliveries have missed. May be run as often as you like',
    example: 'gateway reconcile --product academy --gateway asaas --since 2026-11-01',
  })
    .requiredOption('--product <slug>', 'whose payments')
    .requiredOption('--gateway <name>', cli.gateways.join(', '), oneGateway(cli))
    .requiredOption(
      '--since <date>',
      'as in 2026-11-30 (of the zone of the reports) or 2026-11-30T12:00:00Z',
      parsedBy(parseSince, 'a date, as in 2026-11-30'),
    )
    .action((options: ReconcileOptions) => cli.onDatabase(options, (context) => reconcileProduct(options, { context, cli })))
  addVerb(gateway, 'status', {
    summary: 'when each gateway last delivered, whether its verification fails, and what waits',
    example: 'gateway status',
  }).action((options: { json?: boolean }) => cli.print(options, withContext(cli, gatewayStatus)))
}

async function reconcileProduct(
  { product: slug, gateway, since: given }: ReconcileOptions,
  { context, cli }: { context: CommandContext; cli: CliContext },
): Promise<Outcome> {
  const since = given(context.zone)
  if (since > context.now()) return { misuse: '--since is in the future: give the day from which deliveries may be missing' }
  const product = await productStore(context.storage.db).findBySlug(slug)
  if (!product) return { complaint: productSentence({ refusal: 'not_found' }) }
  const account = await createMerchantAccounts(context).findOf(gateway, product.id)
  if (account) return ask(account, since, { context, cli })
  return {
    complaint: `${slug} has no credentials for ${gateway}: give them with \`portaria product gateway-credentials --slug ${slug} --gateway ${gateway} --secrets-stdin\``,
  }
}

async function ask(
  account: MerchantAccount,
  since: number,
  { context, cli }: { context: CommandContext; cli: CliContext },
): Promise<Outcome> {
  const progress = createProgress('events listed', cli)
  const { allowPrivate, isDevelopment } = context.config
  try {
    const guardedFetch = createGuardedFetch({ allowPrivate, isDevelopment })
    const found = await reconcile(account, since, { ...context, guardedFetch, onListed: progress.at })
    const { listed, known, applied, ignored, unresolved } = found
    const text = paragraphs(summary(found, account), pendingLines(found), reach(account.gateway, since, context.now()))
    return { json: { listed, known, applied, ignored, unresolved }, text, failed: unresolved.length > 0 }
  } catch (fault) {
    return { complaint: `${account.gateway}: ${reasonOf(fault)}. What it listed before that is applied; run this again when it is fixed` }
  } finally {
    progress.end()
  }
}

function summary(
  { listed, known, applied, recorded, ignored, unresolved }: Reconciliation,
  { gateway, credentials }: MerchantAccount,
): string {
  const made = credentials.isTest
    ? `${recorded} recorded as tests, which grant nothing: the credentials are a sandbox's`
    : `${applied} applied now, ${unresolved.length} pending`
  const others = ignored === 0 ? '' : ` ${ignored} of payments that are unknown here, ignored until they are known.`
  return `${gateway} lists ${listed}: ${known} known already, ${made}.${others}`
}

function pendingLines({ unresolved }: Reconciliation): string | undefined {
  return unresolved.length === 0
    ? undefined
    : unresolved.map(({ id, why }) => `${id}  ${pendingTexts[why].replaceAll(' ID', ` ${id}`)}`).join('\n')
}

/** How far back their lists go: Stripe's events, Mercado Pago's payments. Asaas documents no limit. */
const REACH_DAYS: Partial<Record<Gateway, number>> = { stripe: 30, mercadopago: 365 }

function reach(gateway: Gateway, since: number, now: number): string | undefined {
  const days = REACH_DAYS[gateway] ?? Number.POSITIVE_INFINITY
  return now - since <= days * DAY_MS ? undefined : `${gateway} lists the last ${days} days only: older payments stay as they are here.`
}

import { createReadStream } from 'node:fs'
import { Argument, type Command, Option } from 'commander'
import {
  type HotmartPlan,
  type ImportedPurchases,
  importPurchases,
  listPastEvents,
  type PastEvent,
  parseHotmartPlan,
  pastEventOf,
  readNames,
  readPurchasesFile,
  subscriptionJson,
} from '../../admin/index.ts'
import { createMerchantAccounts } from '../../gateways/index.ts'
import { createGuardedFetch } from '../../guarded-fetch/index.ts'
import { productStore } from '../../products/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { reasonOf } from '../command/faults.ts'
import { findFile } from '../command/find-file.ts'
import { collect, parsedBy } from '../command/input.ts'
import { paragraphs, table, visible } from '../command/layout.ts'
import { type CommandContext, withContext, withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { accessOf } from '../subscription/subscription-view.ts'
import { openReport } from './report-file.ts'

interface Options {
  json?: boolean
  dryRun?: boolean
  report?: string
  from?: 'stripe'
  product?: string
  plan?: Array<[string, HotmartPlan]>
}

/** The events of a file or a gateway, and the lines that are none. */
interface Past {
  source: string
  events: PastEvent[]
  refused: Array<{ line: number; why: string }>
}

const MAX_SHOWN = 50

/** `portaria import purchases`. */
export function addImportPurchases(verb: Command, cli: CliContext): void {
  addVerb(verb, 'purchases', {
    summary: "import what was paid before, from a file, Hotmart's report of sales, or Stripe itself; run it again after an interruption",
    example: 'import purchases sales.csv --dry-run',
  })
    .addArgument(new Argument('[file]', 'JSON lines or a table of ours, or the report of sales of Hotmart (CSV)'))
    .option('--dry-run', 'write nothing; say who would end with which access')
    .option('--report <file>', 'write the refused lines to a table: line, email, reason')
    .addOption(new Option('--from <gateway>', 'ask its API in place of a file').choices(['stripe']))
    .option('--product <slug>', "with --from: whose payments, by the product's credentials")
    .option(
      '--plan <code=product/plan>',
      "for Hotmart: the plan of its price, product or product's name; @12m, @1y or @30d where a payment pays for a time",
      collect(parsedBy(parseHotmartPlan, 'as in 788921=academy/pro or abc123=academy/pro@12m')),
    )
    .action((file: string | undefined, options: Options) => cli.print(options, importAll(file, options, cli)))
}

async function importAll(file: string | undefined, options: Options, cli: CliContext): Promise<Outcome> {
  if ((file === undefined) === (options.from === undefined)) return { misuse: 'give a file, or --from stripe --product SLUG' }
  if ((options.from === undefined) !== (options.product === undefined)) return { misuse: '--from and --product go together' }
  const open = options.dryRun ? withContext : withNewContext
  return open(cli, async (context) => {
    const past = file === undefined ? await readGateway(options.product ?? '', context) : await readFile(file, options, context)
    return 'events' in past ? importPast(past, options, { context, cli }) : past
  })
}

async function readFile(file: string, { plan = [] }: Options, { storage, now }: CommandContext): Promise<Past | Outcome> {
  const found = await findFile(file)
  if ('why' in found) return { misuse: found.why }
  const read = await readPurchasesFile(() => createReadStream(file), { plans: new Map(plan), db: storage.db, now: now() })
  if (!('lines' in read)) return { misuse: visible(`${file}: ${read.refused}`) }
  return { source: read.from ?? 'file', events: read.lines.map(pastEventOf), refused: read.refused }
}

async function readGateway(slug: string, context: CommandContext): Promise<Past | Outcome> {
  const product = await productStore(context.storage.db).findBySlug(slug)
  if (!product) return { complaint: productSentence({ refusal: 'not_found' }) }
  const account = await createMerchantAccounts(context).findOf('stripe', product.id)
  if (!account)
    return {
      complaint: `${slug} has no credentials for stripe: give them with \`portaria product gateway-credentials --slug ${slug} --gateway stripe --secrets-stdin\``,
    }
  const { allowPrivate, isDevelopment } = context.config
  try {
    const guardedFetch = createGuardedFetch({ allowPrivate, isDevelopment })
    const events = (await listPastEvents(account, { guardedFetch, now: context.now })) ?? []
    return { source: 'stripe', events, refused: [] }
  } catch (fault) {
    return { complaint: `stripe: ${reasonOf(fault)}. Nothing is written; run this again when it is fixed` }
  }
}

async function importPast(
  { source, events, refused }: Past,
  options: Options,
  { context, cli }: { context: CommandContext; cli: CliContext },
): Promise<Outcome> {
  const report = options.report === undefined ? undefined : await openReport(options.report)
  if (report && 'why' in report) return { misuse: report.why }
  for (const { line, why } of refused) report?.add({ line, why, outcome: 'refused' })
  const unwritten = await report?.close()
  if (unwritten !== undefined) return { complaint: `${unwritten}. Nothing is imported` }
  const progress = createProgress('lines', cli, { elsewhere: 'lines' })
  const onDone = (count: number) => progress.at(count, count / Math.max(events.length, 1))
  const mode = options.dryRun ? 'dry_run' : 'write'
  try {
    const imported = await importPurchases(events, { mode, source }, { ...context, actor: OPERATOR, onDone })
    return await outcomeOf(imported, { source, refused }, options, context)
  } finally {
    progress.end()
  }
}

async function outcomeOf(
  { applied, known, tests, pending, subscriptions }: ImportedPurchases,
  { source, refused }: Pick<Past, 'source' | 'refused'>,
  { dryRun, json }: Options,
  context: CommandContext,
): Promise<Outcome> {
  const [names, now] = [await readNames(context), context.now()]
  const counts = { applied, known, tests, pending: pending.length, refused: refused.length }
  const access = json ? subscriptions.map((one) => subscriptionJson(one, names, now)) : []
  const rows = subscriptions.slice(0, MAX_SHOWN).map((one) => {
    const plan = names.plans.get(one.planId ?? '') ?? ''
    const product = names.products.get(one.productId ?? '') ?? ''
    return [
      one.email ?? '',
      one.userId === undefined ? 'none yet' : 'yes',
      product,
      plan,
      accessOf(one, now),
      context.localTime(one.periodEnd) ?? '',
    ]
  })
  const faults = [...refused.map(({ line, why }) => `line ${line}: refused: ${why}`), ...pending.map(pendingText)]
  const would = dryRun ? 'Would be applied' : 'Applied'
  const withAccess = access.length === 0 ? subscriptions.filter((one) => subscriptionJson(one, names, now).active).length : 0
  const sum = `${would}: ${applied}. Known already: ${known}. Pending: ${pending.length}. Refused: ${refused.length}.${tests > 0 ? ` Of a sandbox, and without effect: ${tests}.` : ''}`
  return {
    json: { dry_run: dryRun === true, source, ...counts, access, lines: [...refused, ...pending] },
    text: paragraphs(
      faults.slice(0, MAX_SHOWN).map(visible).join('\n'),
      more(faults.length),
      rows.length > 0 ? table(['buyer', 'account', 'product', 'plan', 'access', 'paid until'], rows) : undefined,
      more(subscriptions.length),
      subscriptions.length > 0 ? `${withAccess} of ${subscriptions.length} purchases give access now.` : undefined,
      sum,
    ),
    failed: refused.length > 0 || pending.length > 0,
  }
}

function pendingText({ line, why }: { line: number; why: string }): string {
  return `line ${line}: pending: ${why}`
}

function more(count: number): string | undefined {
  return count > MAX_SHOWN ? `… and ${count - MAX_SHOWN} more: see them with --json` : undefined
}

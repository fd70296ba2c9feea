import { Argument, type Command, Option } from 'commander'
import { type HotmartPlan, importPurchases, parseHotmartPlan } from '../../admin/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { collect, parsedBy } from '../command/input.ts'
import { type CommandContext, withContext, withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'
import { importedOutcome } from './imported-purchases.ts'
import { type Past, readGateway, readPastFile } from './past-events.ts'
import { openReport } from './report-file.ts'

interface Options {
  json?: boolean
  dryRun?: boolean
  report?: string
  from?: 'stripe'
  product?: string
  plan?: Array<[string, HotmartPlan]>
}

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
    const past = file === undefined ? await readGateway(options.product ?? '', context) : await readPastFile(file, options, context)
    return 'events' in past ? importPast(past, options, { context, cli }) : past
  })
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
    return await importedOutcome(imported, { source, refused }, options, context)
  } finally {
    progress.end()
  }
}

import type { Command } from 'commander'
import { readActivity, readNames, reportJson } from '../admin/index.ts'
import type { AppContext } from '../context.ts'
import { countStreams, countUncounted, monthAt, parseMonth, parseZone, readMonth, readZone, setZone } from '../reports/index.ts'
import { addVerb, type CliContext, OPERATOR } from './command/cli-context.ts'
import { parsedBy } from './command/input.ts'
import { withContext } from './command/open-context.ts'
import type { Outcome } from './command/output.ts'
import { createProgress } from './command/progress.ts'
import { monthCsv } from './report/month-csv.ts'
import { monthText } from './report/month-text.ts'

/** `portaria report …`: the figures of a month, and the zone of its days. */
export function reportCommands(program: Command, cli: CliContext): void {
  const report = program.command('report').description('what was sold, received and lost, by month, plan and day')
  const month = parsedBy(parseMonth, 'a month like 2026-10')
  addVerb(report, 'monthly', {
    summary: 'show the figures of a month beside those of the month before',
    example: 'report monthly --month 2026-10',
  })
    .option('--month <month>', 'as 2026-10 (default: this month, up to today)', month)
    .option('--csv', 'print CSV: a row for the month, each plan, each other currency and each day')
    .action((options: MonthlyOptions) => cli.print(options, monthly(options, cli)))
  const zone = parsedBy(parseZone, 'a time zone like America/Sao_Paulo')
  addVerb(report, 'zone', {
    summary: 'show the time zone of reports and of times in texts, or set it',
    example: 'report zone America/Manaus',
  })
    .argument('[zone]', 'a name of the tz database; all figures are then counted anew', zone)
    .action((name: string | undefined, options: { json?: boolean }) => cli.onDatabase(options, (context) => changeZone(name, context, cli)))
}

interface MonthlyOptions {
  json?: boolean
  csv?: boolean
  month?: string
}

async function monthly({ json, csv, month }: MonthlyOptions, cli: CliContext): Promise<Outcome> {
  if (json && csv) return { misuse: 'choose --json or --csv' }
  return withContext(cli, async (context) => {
    const { storage, now } = context
    await countAll(context, cli)
    const at = now()
    const current = await monthAt(storage.db, at)
    if (month !== undefined && month > current) return { complaint: `${month} has not begun` }
    const wanted = month ?? current
    const activity = await readActivity(storage.db, wanted, at)
    const report = reportJson(await readMonth(storage.db, wanted, at), activity, await readNames(context))
    return { json: report, text: csv ? monthCsv(report) : monthText(report) }
  })
}

async function changeZone(zone: string | undefined, context: AppContext, cli: CliContext): Promise<Outcome> {
  const { storage, now } = context
  if (zone !== undefined) {
    await setZone(zone, { storage, now, actor: OPERATOR })
    await countAll(context, cli)
  }
  const is = await readZone(storage.db)
  return { json: { time_zone: is }, text: `Days are those of ${is}.` }
}

/** After an import, an upgrade or a change of the zone there is much to count. */
async function countAll(context: AppContext, cli: CliContext): Promise<void> {
  const total = await countUncounted(context.storage.db)
  const progress = createProgress('purchases counted', cli)
  await countStreams(context, { onCounted: (count) => progress.at(count, count / Math.max(total, 1)) }).finally(progress.end)
}

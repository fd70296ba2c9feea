import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type Config, readConfig, readExperiments } from '../../config.ts'
import type { AppContext, AppContextRefusal } from '../../context.ts'
import { findMasterKey, noteUse, readMasterKey } from '../../master-key-file.ts'
import { type Gateway, gatewaysWith } from '../../products/index.ts'
import { COPY_UNFINISHED, describeAddress, hasTables, isDatabaseAway, isReadOnly, newerSentence, openStorage } from '../../storage/index.ts'
import { wholeNumber } from './input.ts'
import { type LocalTime, localTimeIn } from './local-time.ts'
import { type Outcome, printOutcome, type Streams } from './output.ts'
import { bold } from './styles.ts'

/** The actor's name in the audit log for the command line. */
export const OPERATOR = 'operator:cli'

/** The context of every command: the streams, the gateways, and its exit code. */
export interface CliContext extends Streams {
  /** The gateways that this installation supports, as far as its environment can be read. */
  gateways: readonly Gateway[]
  exitCode: number
  /** Waits for a command's outcome and prints it. */
  print(options: { json?: boolean }, outcome: Promise<Outcome>): Promise<void>
}

/** The context of a command on the database. */
export interface CommandContext extends AppContext {
  /** How texts show a time. JSON has them in UTC. */
  localTime: LocalTime
  /** The operator's zone, of times in texts and of dates that are given without one. */
  zone: string
}

export function createCliContext(streams: Streams): CliContext {
  const cli: CliContext = {
    ...streams,
    gateways: gatewaysWith(readExperiments(streams.environment)),
    exitCode: 0,
    async print(options, outcome) {
      cli.exitCode = printOutcome(await outcome.catch(complainOf), options, streams)
    },
  }
  return cli
}

/** A command below its noun, with `--json` and an example in its help. */
export function addVerb(noun: Command, usage: string, { summary, example }: { summary: string; example: string }): Command {
  return noun
    .command(usage)
    .description(summary)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `\n${bold('Example:')}\n  $ portaria ${example}`)
}

export interface PageOptions {
  json?: boolean
  limit?: number
  cursor?: string
}

const MAX_PAGE = 1_000
const READABLE_PAGE = 100

export function addList(noun: Command, { summary, example }: { summary: string; example: string }): Command {
  return addVerb(noun, 'list', { summary, example })
    .option(
      '--limit <n>',
      `how many at most (default: ${READABLE_PAGE}, with --json ${MAX_PAGE})`,
      wholeNumber({ least: 1, most: MAX_PAGE }),
    )
    .option('--cursor <id>', 'continue after this id: the last one of the page before')
}

/** The requested page, in the stores' form. */
export function pageOf({ json, limit, cursor }: PageOptions): { limit: number; cursor?: string } {
  return { limit: limit ?? (json ? MAX_PAGE : READABLE_PAGE), ...(cursor !== undefined && { cursor }) }
}

/** The requested page of a complete list. */
export function pageFrom<T>(items: readonly T[], idOf: (item: T) => string, options: PageOptions): T[] {
  const { limit, cursor } = pageOf(options)
  const from = cursor === undefined ? 0 : items.findIndex((item) => idOf(item) === cursor) + 1
  return items.slice(from, from + limit)
}

/** The hint below a full page. */
export function moreHint(ids: readonly string[], options: PageOptions): string | undefined {
  return ids.length === pageOf(options).limit ? `There may be more: add --cursor ${ids.at(-1)}` : undefined
}

/** Runs `work` with the configuration, or prints its faults. */
export async function withConfig({ environment }: Streams, work: (config: Config) => Promise<Outcome>): Promise<Outcome> {
  const read = await readConfig(environment)
  if (!('faults' in read)) return work(read.config)
  return { complaint: read.faults.map(({ variable, expects }) => `${variable}: expects ${expects}`).join('\nportaria: ') }
}

/**
 * Runs `work` with an application context, opened for this command and closed after it. Migrations run first. Where there is no database
 * yet, the command is refused: a wrong DATABASE_URL would look like an empty one.
 */
export function withContext(streams: Streams, work: (context: CommandContext) => Promise<Outcome>): Promise<Outcome> {
  return inContext('expected', streams, work)
}

/** The same for commands with which an installation begins: they make the database where there is none. */
export function withNewContext(streams: Streams, work: (context: CommandContext) => Promise<Outcome>): Promise<Outcome> {
  return inContext('made', streams, work)
}

function inContext(database: 'expected' | 'made', streams: Streams, work: (context: CommandContext) => Promise<Outcome>): Promise<Outcome> {
  return withConfig(streams, async (config) => {
    const refused = database === 'expected' && !(await hasDatabase(config)) ? await explainMissing(config) : undefined
    if (refused !== undefined) return { complaint: refused }
    return withContextOf(config, streams, async (context) => {
      await noteUse(config)
      return work(context)
    })
  })
}

/** Opening the context would make one. */
async function hasDatabase({ database }: Config): Promise<boolean> {
  if (database.dialect === 'sqlite' && !existsSync(database.file)) return false
  const storage = await openStorage(database)
  try {
    return await hasTables(storage)
  } finally {
    await storage.close()
  }
}

/** A database that is lost beside its used key is another fault than one that never was. */
async function explainMissing(config: Config): Promise<string> {
  const masterKey = await readMasterKey(config)
  if (masterKey && 'fault' in masterKey) return masterKey.fault
  const where = describeAddress(config.database)
  return `there is no database of Portaria at ${where}: check DATABASE_URL; \`portaria serve\` or \`portaria migrate\` makes a new one`
}

export async function withContextOf(
  config: Config,
  { stderr }: Streams,
  work: (context: CommandContext) => Promise<Outcome>,
): Promise<Outcome> {
  const masterKey = await findMasterKey(config)
  if ('fault' in masterKey) return { complaint: masterKey.fault }
  const { openContext } = await import('../../context.ts') // it loads all floors, which `--help` does not need
  const context = await openContext(
    { ...config, masterKey: masterKey.key },
    { onFault: (error) => stderr.write(`portaria: ${reasonOf(error)}\n`) },
  )
  if ('refusal' in context) return { complaint: refusedContext(context) }
  try {
    const { readZone } = await import('../../reports/index.ts')
    const zone = await readZone(context.storage.db)
    return await work({ ...context, zone, localTime: localTimeIn(zone) })
  } finally {
    await context.close()
  }
}

function refusedContext(refused: AppContextRefusal): string {
  if (refused.refusal === 'needs_newer') return newerSentence(refused.needs)
  return refused.refusal === 'copy_unfinished' ? COPY_UNFINISHED : WRONG_MASTER_KEY
}

export const WRONG_MASTER_KEY =
  'this database was made with another master key: set PORTARIA_MASTER_KEY to that one, or put its portaria.key back beside the database'

/** What is said of a fault that nobody has foreseen. */
export function complainOf(error: unknown): { complaint: string } {
  if (isReadOnly(error)) return { complaint: `${reasonOf(error)}: wait for its end, or give it up (portaria copy --give-up)` }
  if (isDatabaseAway(error))
    return { complaint: `the database can't be used just now (${reasonOf(error)}): check DATABASE_URL, then try again` }
  return { complaint: `failed: ${reasonOf(error)}. Nothing more is known; \`portaria doctor\` checks what it stands on` }
}

/** A fault in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return (error.message || code).replaceAll(/\s+/g, ' ')
}

import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../../config.ts'
import type { AppContext, AppContextRefusal } from '../../context.ts'
import { findMasterKey, noteUse, readMasterKey } from '../../master-key-file.ts'
import { COPY_UNFINISHED, describeAddress, hasTables, newerSentence, openStorage } from '../../storage/index.ts'
import { reasonOf } from './faults.ts'
import { type LocalTime, localTimeIn } from './local-time.ts'
import type { Outcome, Streams } from './output.ts'

/** The context of a command on the database. */
export interface CommandContext extends AppContext {
  /** How texts show a time. JSON has them in UTC. */
  localTime: LocalTime
  /** The operator's zone, of times in texts and of dates that are given without one. */
  zone: string
}

export type DatabaseWork = (context: CommandContext) => Promise<Outcome>

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
export function withContext(streams: Streams, work: DatabaseWork): Promise<Outcome> {
  return inContext('expected', streams, work)
}

/** The same for commands with which an installation begins: they make the database where there is none. */
export function withNewContext(streams: Streams, work: DatabaseWork): Promise<Outcome> {
  return inContext('made', streams, work)
}

function inContext(database: 'expected' | 'made', streams: Streams, work: DatabaseWork): Promise<Outcome> {
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

export async function withContextOf(config: Config, { stderr }: Streams, work: DatabaseWork): Promise<Outcome> {
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

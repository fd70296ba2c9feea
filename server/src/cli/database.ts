import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { recordAudit } from '../audit/index.ts'
import type { Config } from '../config.ts'
import type { AppContext } from '../context.ts'
import { endEverySession } from '../sessions/index.ts'
import {
  type BackupRefusal,
  backupSqlite,
  besideNewer,
  fillAgain,
  migrate,
  newerSentence,
  openStorage,
  restoreSqlite,
  schemaState,
} from '../storage/index.ts'
import { addVerb, type CliContext, OPERATOR } from './command/cli-context.ts'
import { paragraphs } from './command/layout.ts'
import { withConfig, withContextOf } from './command/open-context.ts'
import type { Outcome } from './command/output.ts'
import { createProgress } from './command/progress.ts'

interface Options {
  json?: boolean
  keepSessions?: boolean
  fillAgain?: boolean
}

const KEY_IS_ELSEWHERE =
  'The master key is not in it: keep a copy of the key apart from the backup. Without the key a backup does not open.'
const MB = 1_000_000
const USE_PG_DUMP =
  'backup and restore are for SQLite; PostgreSQL has its own: `pg_dump -Fc "$DATABASE_URL" > portaria.dump` and `pg_restore`'

/** `portaria migrate`: runs the migrations. */
export function migrateCommand(program: Command, cli: CliContext): void {
  addVerb(program, 'migrate', { summary: 'bring the tables up to date (serve does so by itself)', example: 'migrate' })
    .option(
      '--fill-again',
      'also fill in again what an older version wrote beside this one; the service does so by itself, after an hour and after a day',
    )
    .action((options: Options) =>
      cli.print(
        options,
        withConfig(cli, (config) => migrateTables(config, options, cli)),
      ),
    )
}

async function migrateTables({ database }: Config, { fillAgain: again = false }: Options, { stderr }: CliContext): Promise<Outcome> {
  const storage = await openStorage(database)
  try {
    const migrated = await migrate(storage, { report: (line) => stderr.write(`portaria: ${line}\n`) })
    if ('refusal' in migrated) return { complaint: newerSentence(migrated.needs) }
    const { applied } = migrated
    const filled = again ? await fillAgain(storage) : []
    const { newer } = await schemaState(storage)
    return {
      json: { applied, filled, newer },
      text: paragraphs(
        applied.length === 0 ? 'The tables are up to date.' : `Applied: ${applied.join(', ')}.`,
        again ? `Filled again: ${filled.join(', ') || 'nothing to fill'}.` : undefined,
        newer.length > 0 ? besideNewer(newer, storage.timeline.version) : undefined,
      ),
    }
  } finally {
    await storage.close()
  }
}

/** `portaria backup FILE`: a copy while the service runs. */
export function backupCommand(program: Command, cli: CliContext): void {
  const summary = 'copy the SQLite database into a new file, also while the service runs'
  addVerb(program, 'backup', { summary, example: 'backup /backups/portaria-2026-11-21.db' })
    .argument('<file>', 'a file that does not exist yet')
    .action((file: string, options: Options) =>
      cli.print(
        options,
        withConfig(cli, (config) => backup(file, config, cli)),
      ),
    )
}

async function backup(file: string, { database }: Config, cli: CliContext): Promise<Outcome> {
  if (database.dialect === 'postgres') return { complaint: USE_PG_DUMP }
  if (!existsSync(path.dirname(file))) return { complaint: `there is no folder ${path.dirname(file)}: make it, or name a file elsewhere` }
  const progress = createProgress('MB', cli)
  const made = await backupSqlite(database.file, file, {
    onCopied: (bytes, part) => progress.at(Math.ceil(bytes / MB), part),
    onCheck: () => cli.stderr.isTTY && progress.say('copied; the copy is being checked'),
  }).finally(progress.end)
  if ('refusal' in made) return { complaint: backupSentence(made.refusal, { file, database: database.file }) }
  const { bytes, copiedInMs, checkedInMs, tables, rows } = made
  const size = `${(bytes / MB).toFixed(1)} MB in ${seconds(copiedInMs)}, checked in ${seconds(checkedInMs)}`
  return {
    json: {
      file,
      bytes,
      copied_in_ms: Math.round(copiedInMs),
      checked_in_ms: Math.round(checkedInMs),
      tables,
      rows,
      contains_master_key: false,
    },
    text: paragraphs(`Written: ${file}\n${size}: ${rows} rows in ${tables} tables, as many as in the database.`, KEY_IS_ELSEWHERE),
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function backupSentence(refusal: BackupRefusal, { file, database }: { file: string; database: string }): string {
  const sentences = {
    target_exists: `${file} exists: name a new file, nothing is written over`,
    damaged: `${database} is damaged, and so would be a copy: nothing was written. Restore the last good backup`,
    no_database: `there is no database at ${database}: check DATABASE_URL, or start the service once`,
  } as const satisfies Record<BackupRefusal, string>
  return sentences[refusal]
}

/** `portaria restore FILE`: replaces the database by a backup. */
export function restoreCommand(program: Command, cli: CliContext): void {
  const summary = 'put a backup in the place of the SQLite database; the service must be stopped'
  addVerb(program, 'restore', { summary, example: 'restore /backups/portaria-2026-11-21.db' })
    .argument('<file>', 'what `portaria backup` wrote')
    .option('--keep-sessions', 'keep users signed in: sessions that ended since the backup are live again')
    .action((file: string, options: Options) =>
      cli.print(
        options,
        withConfig(cli, (config) => restore(file, options, { config, cli })),
      ),
    )
}

/** The backup is prepared beside the database, and only then moved to its place: until that moment nothing is lost. */
async function restore(file: string, options: Options, { config, cli }: { config: Config; cli: CliContext }): Promise<Outcome> {
  const { database } = config
  if (database.dialect === 'postgres') return { complaint: USE_PG_DUMP }
  await mkdir(path.dirname(database.file), { recursive: true, mode: 0o700 })
  const staged = `${database.file}.restoring-${randomUUID()}`
  try {
    const copied = await restoreSqlite(file, staged)
    if (copied !== 'done') return { complaint: restoreSentence(copied, file) }
    const prepared = await withContextOf({ ...config, database: { ...database, file: staged } }, cli, (context) =>
      prepare(context, options, database.file),
    )
    if (!('json' in prepared)) return prepared
    const placed = await restoreSqlite(staged, database.file)
    return placed === 'done' ? prepared : { complaint: restoreSentence(placed, file) }
  } finally {
    for (const ending of ['', '-wal', '-shm', '.part']) await rm(staged + ending, { force: true })
  }
}

/** Prepares the copy, which will lie at `place`. The notices to apps wait in it until the service runs. */
async function prepare({ storage, changes, now }: AppContext, { keepSessions = false }: Options, place: string): Promise<Outcome> {
  const after = { keepSessions }
  await storage.transaction((tx) => recordAudit(tx, { actor: OPERATOR, action: 'database.restore', target: 'database', after }, now()))
  const ended = keepSessions ? 0 : await endEverySession({ changes, actor: OPERATOR, now, reason: 'restored' })
  const sessions = keepSessions
    ? 'Sessions were kept, those that ended since the backup among them.'
    : `Everyone was signed out (${ended} sessions). Apps with a logout address are notified once the service runs; one that was given a session after the backup learns of it at its next check.`
  return {
    json: { database: place, sessions_revoked: !keepSessions, sessions_ended: ended },
    text: paragraphs(
      `Restored: ${place}\n${sessions}`,
      `The database before it, if there was one, is ${place}.before-restore. Start the service now.`,
    ),
  }
}

function restoreSentence(refusal: Exclude<Awaited<ReturnType<typeof restoreSqlite>>, 'done'>, file: string): string {
  const sentences = {
    no_backup: `there is no file ${file}`,
    damaged: `${file} is damaged or no backup of Portaria: nothing was changed`,
    in_use: 'the database is in use: stop the service, then restore; nothing was changed',
  } as const satisfies Record<typeof refusal, string>
  return sentences[refusal]
}

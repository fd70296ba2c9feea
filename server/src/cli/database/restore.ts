import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { giveUpCopy } from '../../admin/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { Config } from '../../config.ts'
import type { AppContext } from '../../context.ts'
import { endEverySession } from '../../sessions/index.ts'
import { lowerFence, openStorage, type Restored, type RestoreRefusal, restoreSqlite } from '../../storage/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { findFile } from '../command/find-file.ts'
import { paragraphs, visible } from '../command/layout.ts'
import { withConfig, withContextOf } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createFileProgress } from './file-progress.ts'
import { USE_PG_DUMP } from './pg-dump.ts'
import { withStaged } from './staged-files.ts'

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
  const found = await findFile(file)
  if ('why' in found) return { complaint: found.why }
  await mkdir(path.dirname(database.file), { recursive: true, mode: 0o700 })
  return withStaged(database.file, (staged) => restoreThrough(staged, { file, options, config: { ...config, database }, cli }))
}

interface Restoring {
  file: string
  options: Options
  config: Config & { database: Extract<Config['database'], { dialect: 'sqlite' }> }
  cli: CliContext
}

async function restoreThrough(staged: string, { file, options, config, cli }: Restoring): Promise<Outcome> {
  const { database } = config
  const { at: onCopied, say, end } = createFileProgress(cli)
  try {
    say('the backup is being checked, and copied')
    const copied = await restoreSqlite(file, staged, { onCopied })
    if (isRefusal(copied)) return { complaint: restoreSentence(copied, file) }
    await openTables(staged)
    const prepared = await withContextOf({ ...config, database: { ...database, file: staged } }, cli, (context) =>
      prepare(context, options, database.file),
    )
    if (!('json' in prepared)) return prepared
    say('the copy is prepared; it is being checked, and put in its place')
    const placed = await restoreSqlite(staged, database.file, { onCopied })
    if (isRefusal(placed)) return { complaint: restoreSentence(placed, file) }
    const before = placed.kept === undefined ? 'Start' : `The database before it is ${placed.kept}. Start`
    return { ...prepared, text: paragraphs(prepared.text, `${before} the service now.`) }
  } finally {
    end()
  }
}

/** A backup of a database that was being copied has the fence of that copy: nothing could be written, and no migration done. */
async function openTables(file: string): Promise<void> {
  const storage = await openStorage({ dialect: 'sqlite', file })
  try {
    await lowerFence(storage)
  } finally {
    await storage.close()
  }
}

/** Prepares the copy, which will lie at `place`. The notices to apps wait in it until the service runs. */
async function prepare({ storage, changes, now }: AppContext, { keepSessions = false }: Options, place: string): Promise<Outcome> {
  const given = await giveUpCopy({ storage, changes, now, actor: OPERATOR, onWait: () => undefined })
  const copiedTo = 'to' in given ? given.to : undefined
  const after = { keepSessions }
  await storage.transaction((tx) => recordAudit(tx, { actor: OPERATOR, action: 'database.restore', target: 'database', after }, now()))
  const ended = keepSessions ? 0 : await endEverySession({ changes, actor: OPERATOR, now, reason: 'restored' })
  const sessions = keepSessions
    ? 'Sessions were kept, those that ended since the backup among them.'
    : `Everyone was signed out (${ended} sessions). Apps with a logout address are notified once the service runs; one that was given a session after the backup learns of it at its next check.`
  return {
    json: {
      database: place,
      sessions_revoked: !keepSessions,
      sessions_ended: ended,
      ...(copiedTo !== undefined && { copied_to: copiedTo }),
    },
    text: `Restored: ${place}\n${sessions}${copiedTo === undefined ? '' : `\n${sentenceOfCopy(copiedTo)}`}`,
  }
}

function sentenceOfCopy(to: string): string {
  return `The backup was made while the database was copied to ${visible(to)}: run one of the two, or they go apart.`
}

function isRefusal(answer: Restored | RestoreRefusal): answer is RestoreRefusal {
  return typeof answer === 'string' || 'unreadable' in answer
}

function restoreSentence(refusal: RestoreRefusal, file: string): string {
  if (typeof refusal === 'object') return `${file} can't be read (${refusal.unreadable}): nothing was changed`
  const sentences = {
    no_backup: `there is no file ${file}`,
    damaged: `${file} is damaged or no backup of Portaria: nothing was changed`,
    in_use: 'the database is in use: stop the service, then restore; nothing was changed',
  } as const satisfies Record<Exclude<RestoreRefusal, object>, string>
  return sentences[refusal]
}

interface Options {
  json?: boolean
  keepSessions?: boolean
}

import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../../config.ts'
import { type BackupRefusal, backupSqlite } from '../../storage/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { paragraphs } from '../command/layout.ts'
import { withConfig } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createFileProgress, MB } from './file-progress.ts'
import { USE_PG_DUMP } from './pg-dump.ts'

const KEY_IS_ELSEWHERE =
  'The master key is not in it: keep a copy of the key apart from the backup. Without the key a backup does not open.'

/** `portaria backup FILE`: a copy while the service runs. */
export function backupCommand(program: Command, cli: CliContext): void {
  const summary = 'copy the SQLite database into a new file, also while the service runs'
  addVerb(program, 'backup', { summary, example: 'backup /backups/portaria-2026-11-21.db' })
    .argument('<file>', 'a file that does not exist yet')
    .action((file: string, options: { json?: boolean }) =>
      cli.print(
        options,
        withConfig(cli, (config) => backup(file, config, cli)),
      ),
    )
}

async function backup(file: string, { database }: Config, cli: CliContext): Promise<Outcome> {
  if (database.dialect === 'postgres') return { complaint: USE_PG_DUMP }
  if (!existsSync(path.dirname(file))) return { complaint: `there is no folder ${path.dirname(file)}: make it, or name a file elsewhere` }
  const { at: onCopied, say, end } = createFileProgress(cli)
  const made = await backupSqlite(database.file, file, { onCopied, onCheck: () => say('copied; the copy is being checked') }).finally(end)
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

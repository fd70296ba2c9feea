import type { Command } from 'commander'
import type { Config } from '../../config.ts'
import { besideNewer, fillAgain, migrate, newerSentence, openStorage, schemaState } from '../../storage/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { paragraphs } from '../command/layout.ts'
import { withConfig } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createActivity } from '../command/progress.ts'

interface Options {
  json?: boolean
  fillAgain?: boolean
}

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
  const activity = createActivity({ stderr })
  const showing =
    (verb: string) =>
    (name: string, { at, of }: { at: number; of: number }) =>
      activity.doing(`${verb} ${name} (${at} of ${of})`)
  try {
    // A terminal has the line that changes instead.
    const report = (line: string) => void (stderr.isTTY || stderr.write(`portaria: ${line}\n`))
    const migrated = await migrate(storage, { report, onMigration: showing('applying') })
    if ('refusal' in migrated) return { complaint: newerSentence(migrated.needs) }
    const { applied } = migrated
    const filled = again ? await fillAgain(storage, { onMigration: showing('filling again') }) : []
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
    activity.end()
    await storage.close()
  }
}

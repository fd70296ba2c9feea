import { existsSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { copyDatabase, giveUpCopy } from '../../admin/index.ts'
import type { Config } from '../../config.ts'
import type { AppContext } from '../../context.ts'
import { countValues, type DatabaseAddress, describeAddress, hasMasterKeyMark, openStorage, parseDatabaseUrl } from '../../storage/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { visible } from '../command/layout.ts'
import { withConfig, withContextOf } from '../command/open-context.ts'
import type { Outcome, Streams } from '../command/output.ts'
import { copyOutcome } from './copy-outcome.ts'
import { createCopyProgress } from './copy-progress.ts'
import { copySentence, sentenceOfNeverFree } from './copy-refusals.ts'

interface Options {
  json?: boolean
  from: DatabaseAddress
  to?: DatabaseAddress
  giveUp?: boolean
}

/** `portaria copy --from … --to …`: everything into a database of the other kind, and the way back from a copy that was given up. */
export function copyCommand(program: Command, cli: CliContext): void {
  addVerb(program, 'copy', {
    summary: 'copy everything from SQLite to PostgreSQL or back; nothing can be written meanwhile. Run it again after an interruption',
    example: 'copy --from sqlite:data/portaria.db --to postgres://portaria@db.internal/portaria',
  })
    .requiredOption('--from <url>', 'the database that is in use', address)
    .option('--to <url>', 'an empty database of the other kind; its password goes into PGPASSWORD', address)
    .option('--give-up', 'make the database of --from writable again, and use it on')
    .action((options: Options) => cli.print(options, copy(options, cli)))
}

function address(text: string): DatabaseAddress {
  const parsed = parseDatabaseUrl(text)
  if (!parsed) throw new InvalidArgumentError('expects sqlite:FILE or postgres://…')
  return parsed
}

async function copy({ from, to, giveUp = false }: Options, cli: CliContext): Promise<Outcome> {
  if (giveUp === (to !== undefined)) return { misuse: 'give --to with the target, or --give-up without it' }
  if (to?.dialect === from.dialect) return { misuse: SAME_KIND[from.dialect] }
  if (!(await isInUse(from))) return { complaint: `${describeAddress(from)} is no database of Portaria: check --from` }
  return withConfig(cli, (config: Config) =>
    withContextOf({ ...config, database: from }, cli, (context) => (to ? copyTo(to, { context, cli }) : backOut(context, cli))),
  )
}

const SAME_KIND = {
  sqlite: 'both are SQLite: `portaria backup` copies within it',
  postgres: 'both are PostgreSQL: `pg_dump` and `pg_restore` copy within it',
} as const satisfies Record<DatabaseAddress['dialect'], string>

/** Opening the context of a database that is none would make one. */
async function isInUse(from: DatabaseAddress): Promise<boolean> {
  if (from.dialect === 'sqlite' && !existsSync(from.file)) return false
  const storage = await openStorage(from)
  try {
    return await hasMasterKeyMark(storage.db)
  } finally {
    await storage.close()
  }
}

async function copyTo(to: DatabaseAddress, { context, cli }: { context: AppContext; cli: CliContext }): Promise<Outcome> {
  const target = await openStorage(to)
  const progress = createCopyProgress(cli, (tables) => countValues(context.storage.db, tables))
  try {
    const onFenced = async (tables: readonly string[]) => {
      progress.say(READ_ONLY)
      await progress.begin(tables)
    }
    const done = await copyDatabase({ ...context, target, actor: OPERATOR, onWait: () => wait(cli), onFenced, step: progress.step })
    return 'refusal' in done ? { complaint: copySentence(done, to) } : copyOutcome(done, { from: context.storage.address, to })
  } finally {
    progress.end()
    await target.close()
  }
}

function wait({ stderr }: Streams): void {
  stderr.write('portaria: others write without a pause; waiting for a moment between two writes\n')
}

const READ_ONLY = 'from now on the service answers checks and writes nothing'

async function backOut(context: AppContext, cli: CliContext): Promise<Outcome> {
  const given = await giveUpCopy({ ...context, actor: OPERATOR, onWait: () => wait(cli) })
  if ('onlyFence' in given)
    return { json: { id: null, to: null, was_done: false }, text: 'No copy was noted; the tables can be written again.' }
  if ('refusal' in given && given.refusal === 'never_free') return { complaint: sentenceOfNeverFree(given) }
  if ('refusal' in given) return { complaint: 'this database is not being copied: nothing was changed' }
  const whole = given.doneAt === undefined ? '' : ' It is whole: start no service there, or the two go apart.'
  return {
    json: { id: given.id, to: given.to, was_done: given.doneAt !== undefined },
    text: `Given up: the service writes again. What was copied stays in ${visible(given.to)}.${whole}`,
  }
}

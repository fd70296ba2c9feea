import { once } from 'node:events'
import type { Command } from 'commander'
import { exportUsers } from '../../admin/index.ts'
import type { AppContext } from '../../context.ts'
import { countValues } from '../../storage/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import type { Outcome } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'

interface Options {
  json?: boolean
  withHashes?: boolean
  withTaxIds?: boolean
}

/** `portaria export users`: JSON lines that `import users` reads, here or elsewhere. */
export function addExportUsers(verb: Command, cli: CliContext): void {
  addVerb(verb, 'users', {
    summary: 'print all users as JSON lines, as `import users` reads them; disabled ones are left out',
    example: 'export users --with-hashes > users.jsonl',
  })
    .option('--with-hashes', 'with password hashes and the secrets of second factors: whoever has them can try passwords')
    .option('--with-tax-ids', 'with CPF and CNPJ in full')
    .action((options: Options) => cli.onDatabase(options, (context) => print(options, { context, cli })))
}

async function print(
  { withHashes = false, withTaxIds = false }: Options,
  { context, cli }: { context: AppContext; cli: CliContext },
): Promise<Outcome> {
  const { stdout, stderr } = cli
  const total = await countValues(context.storage.db, [['users', 'id']])
  // Lines that go to the same terminal show themselves.
  const progress = stdout.isTTY ? undefined : createProgress('users', cli)
  let lines = 0
  const onLine = async (line: string) => {
    progress?.at(++lines, lines / Math.max(total, 1))
    if (!stdout.write(line)) await once(stdout, 'drain')
  }
  const deps = { ...context, actor: OPERATOR, onLine }
  const { exported, disabled } = await exportUsers({ hashes: withHashes, taxIds: withTaxIds }, deps).finally(() => progress?.end())
  stderr.write(`portaria: ${exported} users were exported${disabled > 0 ? `; left out, as they are disabled: ${disabled}` : ''}\n`)
  return { printed: true }
}

import { createReadStream, type ReadStream } from 'node:fs'
import { type Command, Option } from 'commander'
import { OTHER_SYSTEMS, type OtherSystemName, readUsersFile } from '../../admin/index.ts'
import type { AppContext } from '../../context.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { findFile } from '../command/find-file.ts'
import { paragraphs, visible } from '../command/layout.ts'
import { withContext, withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'
import { type PartOptions, readParts } from './export-parts.ts'
import { importLines, type LineOptions } from './import-lines.ts'
import { openReport } from './report-file.ts'

interface Options extends PartOptions, LineOptions {
  from?: OtherSystemName
  report?: string
}

export function addImportUsers(verb: Command, cli: CliContext): void {
  addVerb(verb, 'users <file>', {
    summary: 'import users from JSON, CSV or an export of another system, with their passwords; run it again after an interruption',
    example: 'import users users.jsonl --dry-run',
  })
    .option('--dry-run', 'write nothing; say what would become of every line')
    .option('--report <file>', 'write the refused lines to a table: line, email, reason')
    .addOption(new Option('--from <system>', 'whose export it is, where its fields do not show it').choices(Object.keys(OTHER_SYSTEMS)))
    .option('--auth0-passwords <file>', 'the password hashes that the support of Auth0 sends, beside its export of users')
    .option('--auth0-factors <file>', 'the secrets of authenticator apps (“MFA secrets”), which its support sends likewise')
    .option('--firebase-parameters <file>', "the password hash parameters, as Firebase's console shows them")
    .option('--no-identities', 'leave out the links to identity providers')
    .action((file: string, options: Options) => cli.print(options, importFile(file, options, cli)))
}

async function importFile(file: string, options: Options, cli: CliContext): Promise<Outcome> {
  const found = await findFile(file)
  if ('why' in found) return { misuse: found.why }
  const open = options.dryRun ? withContext : withNewContext
  return open(cli, (context) => readAndImport(file, found.size, options, { context, cli }))
}

async function readAndImport(
  file: string,
  bytes: number,
  options: Options,
  { context, cli }: { context: AppContext; cli: CliContext },
): Promise<Outcome> {
  const parts = await readParts(options)
  if ('misuse' in parts) return parts
  let source: ReadStream | undefined
  const open = () => {
    source = createReadStream(file)
    return source
  }
  const read = await readUsersFile(open, { from: options.from, ...parts })
  if ('refused' in read) return { misuse: visible(`${file}: ${read.refused}`) }
  const report = options.report === undefined ? undefined : await openReport(options.report)
  if (report && 'why' in report) return { misuse: report.why }
  const { total } = read
  const part = (lines: number) => (total === undefined ? (source?.bytesRead ?? 0) / bytes : lines / total)
  const progress = createProgress('lines', cli, { elsewhere: 'lines' })
  let lines = 0
  const step = () => progress.at(++lines, part(lines))
  let imported: Awaited<ReturnType<typeof importLines>>
  let unwritten: string | undefined
  try {
    imported = await importLines(read, options, { context, report, step })
  } finally {
    progress.end()
    unwritten = await report?.close()
  }
  if (unwritten === undefined) return imported
  // The lines were imported all the same, and the answer says so.
  return { json: { ...imported.json, report_fault: unwritten }, text: paragraphs(imported.text, `${unwritten}.`), failed: true }
}

import { createReadStream, type ReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type Command, Option } from 'commander'
import {
  type ExportParts,
  importUsers,
  type LineResult,
  OTHER_SYSTEMS,
  type OtherSystemName,
  parseFirebaseParameters,
  readAuth0Factors,
  readAuth0Hashes,
  readUsersFile,
} from '../../admin/index.ts'
import type { AppContext } from '../../context.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { findFile } from '../command/find-file.ts'
import { paragraphs, visible } from '../command/layout.ts'
import { withContext, withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'
import { addImportPurchases } from './import-purchases.ts'
import { openReport, type ReportFile } from './report-file.ts'

interface Options {
  json?: boolean
  dryRun?: boolean
  from?: OtherSystemName
  firebaseParameters?: string
  auth0Passwords?: string
  auth0Factors?: string
  /** False with --no-identities. */
  identities: boolean
  report?: string
}

const MAX_SHOWN = 50

/** `portaria import …`: users of another system, and their purchases. */
export function importCommands(program: Command, cli: CliContext): void {
  const verb = program.command('import').description('bring users of another system along, and what they have paid')
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
  addImportPurchases(verb, cli)
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

/** The files beside the export. */
async function readParts({ firebaseParameters, auth0Passwords, auth0Factors }: Options): Promise<ExportParts | { misuse: string }> {
  for (const file of [firebaseParameters, auth0Passwords, auth0Factors]) {
    const found = file === undefined ? undefined : await findFile(file)
    if (found && 'why' in found) return { misuse: found.why }
  }
  const firebase = firebaseParameters === undefined ? undefined : parseFirebaseParameters(await readFile(firebaseParameters, 'utf8'))
  if (firebaseParameters !== undefined && !firebase)
    return { misuse: visible(`${firebaseParameters}: no base64_signer_key, rounds and mem_cost`) }
  const auth0Hashes = auth0Passwords === undefined ? undefined : await readAuth0Hashes(linesOf(auth0Passwords))
  if (auth0Passwords !== undefined && !auth0Hashes)
    return { misuse: visible(`${auth0Passwords}: not every line is a user of Auth0 with an _id, or none has a passwordHash`) }
  const factors = auth0Factors === undefined ? undefined : await readAuth0Factors(linesOf(auth0Factors))
  if (auth0Factors !== undefined && !factors)
    return { misuse: visible(`${auth0Factors}: not every line is a second factor of Auth0 with a user_id, or none has an otp_secret`) }
  return { firebase, auth0Hashes, auth0Factors: factors }
}

function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
}

type UsersFile = Exclude<Awaited<ReturnType<typeof readUsersFile>>, { refused: string }>

async function importLines(
  { records, from }: UsersFile,
  { dryRun, json, identities }: Options,
  { context, report, step }: { context: AppContext; report: ReportFile | undefined; step: () => void },
): Promise<{ json: Record<string, unknown>; text: string; failed: boolean }> {
  const results: LineResult[] = []
  const onLine = (result: LineResult) => {
    // An import of many lines keeps only those that the operator must see.
    if (dryRun || result.outcome === 'refused') results.push(result)
    report?.add(result)
    step()
  }
  const deps = { ...context, taxIdKey: context.masterKeys.taxIdIndex, actor: OPERATOR, onLine }
  const how = { mode: dryRun ? 'dry_run' : 'write', identities: identities ? 'import' : 'leave_out' } as const
  const counts = await importUsers(records, how, deps)
  const rest = results.length > MAX_SHOWN ? `… and ${results.length - MAX_SHOWN} more: see them with --json or --report FILE` : undefined
  const lines = json ? [] : results.slice(0, MAX_SHOWN).map((result) => lineText(result, dryRun ? 'would be ' : ''))
  const did = dryRun ? 'Would be added' : 'Added'
  const sum = `${did}: ${counts.added}. Have an account already, and stay as they are: ${counts.known}. Refused: ${counts.refused}.`
  return {
    json: { dry_run: dryRun === true, ...(from && { from }), ...counts, lines: results },
    text: paragraphs(from && `Read as an export of ${from}.`, lines.join('\n'), rest, sum),
    failed: counts.refused > 0,
  }
}

function lineText(result: LineResult, would: string): string {
  const { line, email } = result
  return visible(`line ${line}${email === undefined ? '' : ` (${email})`}: ${outcomeText(result, would)}`)
}

function outcomeText(result: LineResult, would: string): string {
  if (result.outcome === 'refused') return `${would}refused: ${result.why}`
  if (result.outcome === 'known') return 'has an account'
  return `${would}added${result.brings.length > 0 ? `, with ${result.brings.join(', ')}` : ''}`
}

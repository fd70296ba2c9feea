import { createReadStream, type ReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import {
  importUsers,
  type LineResult,
  OTHER_SYSTEMS,
  type OtherSystemName,
  parseFirebaseParameters,
  readUsersFile,
} from '../../admin/index.ts'
import type { AppContext } from '../../context.ts'
import { addVerb, type CliContext, OPERATOR, withContext } from '../command/cli-context.ts'
import { type Outcome, paragraphs, visible } from '../command/output.ts'

interface Options {
  json?: boolean
  dryRun?: boolean
  from?: OtherSystemName
  firebaseParameters?: string
}

const MAX_SHOWN = 50
const EVERY_MS = 5_000

/** `portaria import …`: users of another system. */
export function importCommands(program: Command, cli: CliContext): void {
  const verb = program.command('import').description('bring users of another system along')
  addVerb(verb, 'users <file>', {
    summary: 'import users from JSON, CSV or an export of another system, with their passwords; run it again after an interruption',
    example: 'import users users.jsonl --dry-run',
  })
    .option('--dry-run', 'write nothing; say what would become of every line')
    .addOption(new Option('--from <system>', 'whose export it is, where its fields do not show it').choices(Object.keys(OTHER_SYSTEMS)))
    .option('--firebase-parameters <file>', "the password hash parameters, as Firebase's console shows them")
    .action((file: string, options: Options) => cli.print(options, importFile(file, options, cli)))
}

async function importFile(file: string, options: Options, cli: CliContext): Promise<Outcome> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) return { misuse: `${visible(file)} is no file that can be read` }
  return withContext(cli, (context) => importLines(file, found.size, options, { context, cli }))
}

async function importLines(
  file: string,
  bytes: number,
  { dryRun, json, from, firebaseParameters }: Options,
  { context, cli }: { context: AppContext; cli: CliContext },
): Promise<Outcome> {
  const firebase = firebaseParameters === undefined ? undefined : await readParameters(firebaseParameters)
  if (firebaseParameters !== undefined && !firebase)
    return { misuse: visible(`${firebaseParameters}: no base64_signer_key, rounds and mem_cost`) }
  let source: ReadStream | undefined
  const read = await readUsersFile(
    () => {
      source = createReadStream(file)
      return source
    },
    { from, firebase },
  )
  if ('refused' in read) return { misuse: visible(`${file}: ${read.refused}`) }
  const progress = createProgress(() => (source?.bytesRead ?? 0) / bytes, cli)
  const results: LineResult[] = []
  const onLine = (result: LineResult) => {
    // An import of many lines keeps only those that the operator must see.
    if (dryRun || result.outcome === 'refused') results.push(result)
    progress()
  }
  const deps = { ...context, taxIdKey: context.masterKeys.taxIdIndex, actor: OPERATOR, onLine }
  const counts = await importUsers(read.records, dryRun ? 'dry_run' : 'write', deps)
  const shown = results.filter(({ outcome }) => dryRun || outcome === 'refused')
  const rest = shown.length > MAX_SHOWN ? `… and ${shown.length - MAX_SHOWN} more: see them with --json` : undefined
  const lines = json ? [] : shown.slice(0, MAX_SHOWN).map((result) => lineText(result, dryRun ? 'would be ' : ''))
  const did = dryRun ? 'Would be added' : 'Added'
  const sum = `${did}: ${counts.added}. Have an account already, and stay as they are: ${counts.known}. Refused: ${counts.refused}.`
  return {
    json: { dry_run: dryRun === true, ...(read.from && { from: read.from }), ...counts, lines: results },
    text: paragraphs(read.from && `Read as an export of ${read.from}.`, lines.join('\n'), rest, sum),
    failed: counts.refused > 0,
  }
}

async function readParameters(file: string) {
  return parseFirebaseParameters(await readFile(file, 'utf8').catch(() => ''))
}

function lineText(result: LineResult, would: string): string {
  const { line, email } = result
  const what =
    result.outcome === 'refused' ? `${would}refused: ${result.why}` : result.outcome === 'known' ? 'has an account' : `${would}added`
  return visible(`line ${line}${email === undefined ? '' : ` (${email})`}: ${what}`)
}

/** Says every few seconds how far the import is, and how long it will take from here. */
function createProgress(part: () => number, { stderr }: CliContext): () => void {
  const begun = performance.now()
  let [said, lines] = [begun, 0]
  return () => {
    lines++
    const now = performance.now()
    if (now - said < EVERY_MS) return
    said = now
    const done = Math.min(Math.max(part(), 0.001), 1)
    const left = Math.ceil(((now - begun) * (1 / done - 1)) / 1_000)
    stderr.write(`portaria: ${lines} lines, about ${left} s left\n`)
  }
}

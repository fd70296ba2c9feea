import { importUsers, type LineResult, type readUsersFile } from '../../admin/index.ts'
import type { AppContext } from '../../context.ts'
import { OPERATOR } from '../command/cli-context.ts'
import { paragraphs, type Text, visible } from '../command/layout.ts'
import type { ReportFile } from './report-file.ts'

const MAX_SHOWN = 50

export interface LineOptions {
  json?: boolean
  dryRun?: boolean
  /** False with --no-identities. */
  identities: boolean
}

type UsersFile = Exclude<Awaited<ReturnType<typeof readUsersFile>>, { refused: string }>

export async function importLines(
  { records, from }: UsersFile,
  { dryRun, json, identities }: LineOptions,
  { context, report, step }: { context: AppContext; report: ReportFile | undefined; step: () => void },
): Promise<{ json: Record<string, unknown>; text: Text; failed: boolean }> {
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

import type { Command } from 'commander'
import { applyConfiguration, diffConfiguration } from '../../admin/index.ts'
import { isDatabaseAway } from '../../storage/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { complainOf } from '../command/faults.ts'
import { paragraphs } from '../command/layout.ts'
import { withContext, withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addExportUsers } from '../export/export-users.ts'
import { configurationSentence } from './config-sentences.ts'
import { differingJson, differingText } from './differing.ts'
import { exportConfig } from './export-config.ts'
import { madeOf, shownOnce } from './keys-made.ts'
import { complaintOf, onFile } from './on-settings-file.ts'

interface Options {
  json?: boolean
  prune?: boolean
  takeOver?: boolean
  images?: string
}

/** The exit codes of `diff`, beside 0 (the same) and 1 (another). */
const [NOT_UNDERSTOOD, UNREACHABLE] = [2, 3]

/** `portaria export config`: the settings as a file, for git. */
export function exportCommands(program: Command, cli: CliContext): void {
  const verb = program.command('export').description('print the settings or all users, for a file')
  addVerb(verb, 'config', {
    summary: 'print products, redirect URIs, plans, gateways, identity providers, endpoints and appearance as YAML, without any secret',
    example: 'export config --images . > portaria.yaml',
  })
    .option('--images <folder>', 'write logos and icons there, under the names by which the file has them')
    .action((options: Options) => cli.onDatabase(options, (context) => exportConfig(context, options)))
  addExportUsers(verb, cli)
}

/** `portaria diff FILE`. */
export function diffCommand(program: Command, cli: CliContext): void {
  const verb = addVerb(program, 'diff <file>', {
    summary: 'compare the settings with a file: exit code 0 the same, 1 another, 2 not understood, 3 the database can’t be reached',
    example: 'diff portaria.yaml',
  })
  addOptions(verb).action((file: string, options: Options) => cli.print(options, diff(file, options, cli)))
}

/** `portaria apply FILE`. */
export function applyCommand(program: Command, cli: CliContext): void {
  const verb = addVerb(program, 'apply <file>', {
    summary: 'make the settings what a file says, all of it or nothing; what it does not name stays as it is',
    example: 'apply portaria.yaml',
  })
  addOptions(verb).action((file: string, options: Options) => cli.print(options, apply(file, options, cli)))
}

function addOptions(verb: Command): Command {
  return verb
    .option('--prune', 'remove providers and endpoints that the file’s manager declared before and the file no longer names')
    .option('--take-over', 'take what another manager has declared')
}

async function diff(file: string, { prune = false, takeOver = false }: Options, cli: CliContext): Promise<Outcome> {
  const outcome = await onFile(file, { cli, open: withContext }, async (read, context) => {
    const { faults, ...differing } = await diffConfiguration(read, { prunes: prune, takesOver: takeOver }, context)
    const unknown = faults.filter(({ refusal }) => refusal === 'secret_absent')
    const others = faults.filter((fault) => !unknown.includes(fault))
    if (others.length > 0) return complaintOf(others, read)
    const notes = unknown.map((fault) => `Not compared: ${configurationSentence(fault, read.absent)}.`)
    return {
      json: differingJson(differing),
      text: paragraphs(differingText(differing), ...notes),
      failed: differing.differences.length > 0,
    }
  }).catch((error) => ({ ...complainOf(error), exitCode: isDatabaseAway(error) ? UNREACHABLE : NOT_UNDERSTOOD }))
  return 'complaint' in outcome ? { exitCode: NOT_UNDERSTOOD, ...outcome } : outcome
}

function apply(file: string, { prune = false, takeOver = false }: Options, cli: CliContext): Promise<Outcome> {
  return onFile(file, { cli, open: withNewContext }, async (read, context) => {
    const { cookieDomain, baseUrl, isDevelopment } = context.config
    const deps = { ...context, cookieDomain, baseUrl, isDevelopment, actor: OPERATOR }
    const applied = await applyConfiguration(read, { prunes: prune, takesOver: takeOver }, deps)
    if ('refusal' in applied) return complaintOf(applied.faults, read)
    const made = madeOf(applied)
    const { unremoved } = applied
    const left = unremoved.map((path) => `${path} is stopped, and could not be removed yet: apply the file again with --prune.`)
    return {
      json: { ...differingJson(applied), ...made, unremoved },
      text: paragraphs(differingText(applied), ...shownOnce(made), left.join('\n')),
      failed: unremoved.length > 0,
    }
  })
}

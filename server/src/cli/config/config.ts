import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import {
  type Applied,
  applyConfiguration,
  type Configuration,
  type ConfigurationFault,
  type Difference,
  type Differing,
  diffConfiguration,
  hashOfFile,
  listImagePlaces,
  readCurrent,
  writeSettings,
  writtenAppearance,
} from '../../admin/index.ts'
import { appearanceStore } from '../../appearance/index.ts'
import type { AppContext } from '../../context.ts'
import { isDatabaseAway } from '../../storage/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { complainOf } from '../command/faults.ts'
import { fields, paragraphs, visible } from '../command/layout.ts'
import { withContext, withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addExportUsers } from '../export/export-users.ts'
import { configurationSentence } from './config-sentences.ts'
import { differenceLines } from './difference-lines.ts'
import { type ReadFile, readSettingsFile } from './settings-file.ts'

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

async function exportConfig({ storage }: AppContext, { images }: Options): Promise<Outcome> {
  const { configuration: current } = await storage.transaction((tx) => readCurrent(tx))
  const configuration = written(current)
  if (images !== undefined) await writeImages(configuration, images, storage)
  return { json: configuration, text: (await writeSettings(configuration, HEADING)).trimEnd() }
}

/** A look without any field is one line. */
function written({ portaria, appearance, products = {}, ...rest }: Configuration): Configuration {
  const ofProducts = Object.entries(products).map(([slug, product]) => [
    slug,
    { ...product, appearance: writtenAppearance(product.appearance) },
  ])
  return { portaria, appearance: writtenAppearance(appearance), products: Object.fromEntries(ofProducts), ...rest }
}

async function writeImages(configuration: Configuration, folder: string, { db }: AppContext['storage']): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [, { file }] of listImagePlaces(configuration)) {
    const image = await appearanceStore(db).findImage(hashOfFile(file) ?? '')
    if (image) await writeFile(path.join(folder, file), image.content)
  }
}

const HEADING = [
  'Settings of Portaria: `portaria diff FILE` compares, `portaria apply FILE` makes them so.',
  'What is not named stays as it is. A secret stands elsewhere: {env: NAME} or {file: PATH}.',
]

async function diff(file: string, { prune = false, takeOver = false }: Options, cli: CliContext): Promise<Outcome> {
  const outcome = await onFile(file, { cli, open: withContext }, async (read, context) => {
    const { faults, ...differing } = await diffConfiguration(read, { prunes: prune, takesOver: takeOver }, context)
    const unknown = faults.filter(({ refusal }) => refusal === 'secret_absent')
    const others = faults.filter((fault) => !unknown.includes(fault))
    if (others.length > 0) return complaintOf(others, read)
    const notes = unknown.map((fault) => `Not compared: ${configurationSentence(fault, read.absent)}.`)
    return { json: json(differing), text: paragraphs(text(differing), ...notes), failed: differing.differences.length > 0 }
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
      json: { ...json(applied), ...made, unremoved },
      text: paragraphs(text(applied), ...shownOnce(made), left.join('\n')),
      failed: unremoved.length > 0,
    }
  })
}

async function onFile(
  file: string,
  { cli, open }: { cli: CliContext; open: typeof withContext },
  work: (read: ReadFile, context: AppContext) => Promise<Outcome>,
): Promise<Outcome> {
  const read = await readSettingsFile(file, cli.environment)
  if ('misuse' in read) return read
  return open(cli, async (context) => {
    const own = findOwnKey(read, context.config)
    return own === undefined ? work(read, context) : { complaint: `${own}: this is the master key of the service, which is sent to nobody` }
  })
}

/** The setting whose secret has the service's own master key in it. */
function findOwnKey({ secrets }: ReadFile, { masterKey, previousMasterKey }: AppContext['config']): string | undefined {
  const forms = [masterKey, previousMasterKey].flatMap((key) =>
    key ? (['base64', 'base64url', 'hex'] as const).map((form) => key.toString(form).toLowerCase()) : [],
  )
  return [...secrets].find(([, secret]) => forms.some((form) => secret.toLowerCase().includes(form)))?.[0]
}

function complaintOf(faults: readonly ConfigurationFault[], { absent }: ReadFile): { complaint: string } {
  return { complaint: faults.map((fault) => visible(configurationSentence(fault, absent))).join('\nportaria: ') }
}

function json({ differences, unlisted }: Differing) {
  return {
    same: differences.length === 0,
    differences: differences.map(({ path, kind, before = null, after = null }: Difference) => ({
      path: path.join('.'),
      kind,
      before,
      after,
    })),
    unlisted,
  }
}

function text({ differences, unlisted }: Differing): string {
  const left = unlisted.map((path) => `${path} was declared before and is not in the file; it stays.`)
  return paragraphs(differences.length === 0 ? 'All is as the file says.' : differenceLines(differences).join('\n'), left.join('\n'))
}

function madeOf({ products, endpoints }: Applied) {
  return {
    products: products.map(({ slug, publishableKey, apiKey, webhookKey }) => ({
      slug,
      publishable_key: publishableKey,
      api_key: apiKey,
      webhook_key: webhookKey,
    })),
    endpoints: endpoints.map(({ path, id, secret = null }) => ({ path, id, secret })),
  }
}

/** The keys of what was made. They can't be shown again. */
function shownOnce({ products, endpoints }: ReturnType<typeof madeOf>): string[] {
  const secrets = endpoints.flatMap(({ path, secret }) => (secret === null ? [] : [fields([[path, secret]])]))
  const keys = products.map((product) =>
    fields([
      ['product', product.slug],
      ['publishable key', product.publishable_key],
      ['API key', product.api_key],
    ]),
  )
  return keys.length + secrets.length === 0 ? [] : ['Shown this once:', ...keys, ...secrets]
}

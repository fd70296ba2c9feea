import { type Command, Option } from 'commander'
import { callbackUrlOf, providerJson } from '../../admin/index.ts'
import type { Config } from '../../config.ts'
import type { AppContext } from '../../context.ts'
import {
  addProvider,
  draftProvider,
  findPreset,
  type IdentityProvider,
  PROVIDER_KINDS,
  PROVIDER_PRESETS,
  type ProviderFinding,
  type ProviderKind,
  providerStore,
  removeProvider,
} from '../../identity-providers/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { collect, readSecret } from '../command/input.ts'
import { fields, paragraphs, table } from '../command/layout.ts'
import { withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, listed, type PageOptions, pageFrom } from '../command/paging.ts'
import { NO_SUCH_PROVIDER, providerSentence } from '../sentences/provider-sentences.ts'
import { examineProvider } from './examine-provider.ts'

interface Options {
  json?: boolean
}

interface AddOptions extends Options {
  preset?: string
  id?: string
  name?: string
  kind?: ProviderKind
  issuer?: string
  clientId: string
  clientSecretStdin?: boolean
  authoritativeFor?: string[][]
  acceptAccessTokens?: boolean
  audience?: string
  untested?: boolean
}

const ID = "the provider's id, as `idp list` shows it"

/** `portaria idp …`: the identity providers for sign-in. */
export function idpCommands(program: Command, cli: CliContext): void {
  const idp = program.command('idp').description('identity providers for sign-in (OpenID Connect)')
  addAdd(idp, cli)
  addList(idp, { summary: 'list the identity providers, by name', example: 'idp list' }).action((options: PageOptions) =>
    cli.onDatabase(options, (context) => list(options, context)),
  )
  addVerb(idp, 'test', { summary: 'test a provider as far as possible without a user', example: 'idp test google' })
    .argument('<id>', ID)
    .action((id: string, options: Options) => cli.onDatabase(options, (context) => test(id, context)))
  addVerb(idp, 'remove', { summary: 'disconnect a provider; accounts stay', example: 'idp remove google' })
    .argument('<id>', ID)
    .action((id: string, options: Options) => cli.onDatabase(options, (context) => remove(id, context)))
}

function addAdd(idp: Command, cli: CliContext): void {
  const example = 'idp add --preset google --client-id 1234.apps.googleusercontent.com --client-secret-stdin < secret.txt'
  addVerb(idp, 'add', { summary: 'test an identity provider, and connect it', example })
    .addOption(
      new Option('--preset <name>', 'fills in id, name, kind, issuer and domains; what you name counts').choices(
        Object.keys(PROVIDER_PRESETS),
      ),
    )
    .option('--id <id>', 'your name for it, part of addresses: google')
    .option('--name <name>', 'as shown on the button: Google')
    .addOption(new Option('--kind <kind>', 'what it speaks; openid, unless it is one of the others').choices(PROVIDER_KINDS))
    .option('--issuer <url>', 'its issuer, to the letter as it names itself')
    .requiredOption('--client-id <id>', 'what the provider calls this service')
    .option('--client-secret-stdin', 'read the client secret from standard input (a terminal asks for it and does not show it)')
    .option(
      '--authoritative-for <domains>',
      'mail domains whose addresses it vouches for, with commas between; * for any',
      collect(domainsIn),
    )
    .option('--accept-access-tokens', 'accept its access tokens on GET /api/me; needs --audience')
    .option('--audience <audience>', 'the aud that those access tokens must have')
    .option('--untested', 'save it without a test: by default it is tested first, and saved only if nothing fails')
    .action((options: AddOptions) => cli.print(options, add(options, cli)))
}

function domainsIn(text: string): string[] {
  return text
    .split(',')
    .map((domain) => domain.trim())
    .filter((domain) => domain !== '')
}

async function add(options: AddOptions, cli: CliContext): Promise<Outcome> {
  const { clientId, clientSecretStdin, acceptAccessTokens = false, audience } = options
  const preset = options.preset === undefined ? undefined : findPreset(options.preset)
  const { id = options.preset, name = preset?.name, issuer = preset?.issuer, kind = preset?.kind ?? 'openid' } = options
  if (id === undefined || name === undefined || issuer === undefined)
    return { misuse: 'a provider needs --id, --name and --issuer, or a --preset' }
  if (/[{}]/.test(issuer)) return { misuse: `--preset ${options.preset} needs --issuer, with your own part in it: ${issuer}` }
  if (!clientSecretStdin) return { misuse: 'a client secret comes from standard input alone: add --client-secret-stdin' }
  if (acceptAccessTokens !== (audience !== undefined) || audience === '')
    return { misuse: '--accept-access-tokens and --audience go together: the audience distinguishes tokens for you from tokens for others' }
  const clientSecret = (await readSecret('Client secret', cli)).trim()
  return withNewContext(cli, async (context) => {
    const authoritativeFor = options.authoritativeFor?.flat() ?? preset?.authoritativeFor ?? []
    const input = { id, name, kind, issuer, clientId, clientSecret, authoritativeFor, accessTokenAudience: audience }
    const drafted = await draftProvider(input, context)
    if ('refusal' in drafted) return { complaint: providerSentence(drafted) }
    const findings = options.untested ? [] : await examineProvider(drafted, { ...context, clientSecret })
    if (hasFailed(findings)) return notAdded(findings)
    const added = await addProvider(input, { ...context, actor: OPERATOR })
    if ('refusal' in added) return { complaint: providerSentence(added) }
    const redirectUri = callbackUrlOf(context.config)
    return {
      json: { ...providerJson(added), redirect_uri: redirectUri, ...(findings.length > 0 && { findings: findings.map(findingFields) }) },
      text: paragraphs(findingsTable(findings), providerFields(added), beliefOf(added), nextSteps(added, context.config)),
    }
  })
}

function notAdded(findings: readonly ProviderFinding[]): Outcome {
  const advice = 'Nothing was saved. Fix the steps marked FAIL and run it again; with --untested it is saved as it is.'
  return { json: { added: false, findings: findings.map(findingFields) }, text: paragraphs(findingsTable(findings), advice), failed: true }
}

function beliefOf({ authoritativeFor }: IdentityProvider): string | undefined {
  if (!authoritativeFor.includes('*')) return undefined
  return 'It may vouch for every address, so its operator can open any account here: right only for a provider of your own.'
}

function nextSteps({ id }: IdentityProvider, config: Config): string {
  return `Now:
  1. Register this redirect URI at the provider:  ${callbackUrlOf(config)}
  2. Check the connection:  portaria idp test ${id}`
}

async function list(options: PageOptions, { storage }: AppContext): Promise<Outcome> {
  const providers = pageFrom(await providerStore(storage.db).list(), ({ id }) => id, options)
  return listed(providers, options, {
    nothing: 'No identity providers: connect one with `portaria idp add`.',
    headings: ['id', 'name', 'issuer', 'client id', 'authoritative for', 'access tokens for'],
    row: (one) => [one.id, one.name, one.issuer, one.clientId, one.authoritativeFor.join(' '), one.accessTokenAudience ?? ''],
    json: providerJson,
  })
}

async function test(id: string, context: AppContext): Promise<Outcome> {
  const provider = await providerStore(context.storage.db).findById(id)
  if (!provider) return { complaint: NO_SUCH_PROVIDER }
  const findings = await examineProvider(provider, context)
  const failed = hasFailed(findings)
  return {
    json: findings.map(findingFields),
    text: paragraphs(findingsTable(findings), failed ? adviceAfterFailure(provider) : `${provider.name} can be used.`),
    failed,
  }
}

function hasFailed(findings: readonly ProviderFinding[]): boolean {
  return findings.some(({ result }) => result === 'fail')
}

function findingFields({ check, result, says }: ProviderFinding) {
  return { check, result, says }
}

/** `undefined` where nothing was tested. */
function findingsTable(findings: readonly ProviderFinding[]): string | undefined {
  if (findings.length === 0) return undefined
  const labels = { ok: 'ok', warn: 'warn', fail: 'FAIL' } as const satisfies Record<ProviderFinding['result'], string>
  const rows = findings.map(({ check, result, says }) => [labels[result], check.replaceAll('_', ' '), says])
  return table(['result', 'check', 'says'], rows)
}

function adviceAfterFailure({ id }: IdentityProvider): string {
  const settings = `Its settings are changed by \`portaria idp remove ${id}\` and \`portaria idp add\`; accounts stay.`
  return `Users can't sign in through it: fix the steps marked FAIL. ${settings}`
}

async function remove(id: string, context: AppContext): Promise<Outcome> {
  if ((await removeProvider(id, { ...context, actor: OPERATOR })) === 'not_found') return { complaint: NO_SUCH_PROVIDER }
  return {
    json: { id, removed: true },
    text: `Removed ${id}: nobody signs in through it any more. Accounts stay; who has no password sets one by "forgot password".`,
  }
}

function providerFields({ id, name, kind, issuer, clientId, authoritativeFor, accessTokenAudience }: IdentityProvider): string {
  return fields([
    ['id', id],
    ['name', name],
    ['kind', kind],
    ['issuer', issuer],
    ['client id', clientId],
    ['authoritative for', authoritativeFor.join(' ') || 'no domain: addresses are verified by mail'],
    ['access tokens', accessTokenAudience === undefined ? 'not accepted' : `accepted for ${accessTokenAudience}`],
  ])
}

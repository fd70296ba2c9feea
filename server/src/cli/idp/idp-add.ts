import { type Command, Option } from 'commander'
import { callbackUrlOf, providerJson } from '../../admin/index.ts'
import {
  addProvider,
  draftProvider,
  findPreset,
  PROVIDER_KINDS,
  PROVIDER_PRESETS,
  type ProviderFinding,
  type ProviderKind,
} from '../../identity-providers/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { collect, readSecret } from '../command/input.ts'
import { paragraphs } from '../command/layout.ts'
import { withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { providerSentence } from '../sentences/provider-sentences.ts'
import { beliefOf, nextSteps, providerFields } from './added-provider.ts'
import { examineProvider } from './examine-provider.ts'
import { findingFields, findingsTable, hasFailed } from './provider-findings.ts'

interface AddOptions {
  json?: boolean
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

export function addAdd(idp: Command, cli: CliContext): void {
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

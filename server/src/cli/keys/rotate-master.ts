import type { Command } from 'commander'
import { rotateMasterKey } from '../../admin/index.ts'
import { masterKeyFile } from '../../master-key-file.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { fields, paragraphs } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'
import { masterKeySentence } from '../sentences/master-key-sentences.ts'

export function addRotateMaster(keys: Command, cli: CliContext): void {
  const example =
    'keys rotate-master\n\n  with PORTARIA_MASTER_KEY (or _FILE) set to the new key and PORTARIA_MASTER_KEY_PREVIOUS (or _FILE) to the old one.\n  Stop the service first, or restart every node with both of them set.'
  addVerb(keys, 'rotate-master', { summary: 'seal everything with a new master key', example }).action((options: { json?: boolean }) =>
    cli.onDatabase(options, (context) => rotateMaster(context, cli)),
  )
}

async function rotateMaster(context: CommandContext, cli: CliContext): Promise<Outcome> {
  const { config } = context
  if (!config.masterKey || !config.previousMasterKey) {
    const old = masterKeyFile(config) ?? 'the old key'
    const how = `set PORTARIA_MASTER_KEY to a new key (\`openssl rand -base64 32\`) and PORTARIA_MASTER_KEY_PREVIOUS to the one in use`
    return { complaint: `${how}, or their _FILE variants (the one in use: ${old})` }
  }
  const progress = createProgress('values sealed', cli)
  const resealed = await rotateMasterKey(
    { sealer: context.sealer, taxIdKey: context.masterKeys.taxIdIndex },
    { ...context, actor: OPERATOR, onSealed: progress.at },
  ).finally(progress.end)
  if ('refusal' in resealed) return { complaint: masterKeySentence(resealed) }
  return {
    json: Object.fromEntries(SEALED.map(([name, key]) => [name, resealed[key]])),
    text: paragraphs(
      'Sealed with the new master key:',
      fields(SEALED.map(([, key, label]) => [label, String(resealed[key])])),
      nextSteps(context),
    ),
  }
}

/** The kinds of sealed values, each with its name in JSON, in the answer of the use case, and in a text. */
const SEALED = [
  ['signing_keys', 'signingKeys', 'signing keys'],
  ['webhook_keys', 'webhookKeys', 'webhook keys'],
  ['gateway_credentials', 'gatewayCredentials', 'gateway credentials'],
  ['endpoints', 'endpoints', 'endpoint secrets'],
  ['tax_ids', 'taxIds', 'tax ids'],
  ['identity_providers', 'identityProviders', 'identity providers'],
  ['tickets', 'tickets', 'mailed links'],
  ['second_factors', 'secondFactors', 'second factors'],
  ['outbox', 'outbox', 'pending mails'],
  ['idp_attempts', 'idpAttempts', 'provider sign-ins under way'],
] as const

function nextSteps({ config }: CommandContext): string {
  const file = masterKeyFile(config)
  const place =
    file === undefined ? 'Keep the new key in PORTARIA_MASTER_KEY' : `Put the new key into ${file} (or keep it in PORTARIA_MASTER_KEY)`
  return `Now:
  1. ${place}, and a copy of it elsewhere.
  2. Remove PORTARIA_MASTER_KEY_PREVIOUS and restart the service. Sign-ins that are half done begin anew,
     and so does a second factor that waits for its first code.
     Links that were mailed stay valid; six-digit codes that were mailed do not: users use the link, or ask for a new mail.
  3. Keep the old key as long as you keep backups from before: they open with it alone.`
}

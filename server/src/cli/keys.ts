import type { Command } from 'commander'
import { rotateMasterKey, signingKeyJson } from '../admin/index.ts'
import { masterKeyFile } from '../master-key-file.ts'
import { revokeSigningKey, rotateSigningKey, signingKeyState, signingKeyStore } from '../sessions/index.ts'
import { addVerb, type CliContext, OPERATOR } from './command/cli-context.ts'
import { fields, paragraphs } from './command/layout.ts'
import type { CommandContext } from './command/open-context.ts'
import type { Outcome } from './command/output.ts'
import { addList, listed, type PageOptions, pageFrom } from './command/paging.ts'
import { createProgress } from './command/progress.ts'
import { masterKeySentence } from './sentences/master-key-sentences.ts'

interface Options {
  json?: boolean
  now?: boolean
}

/** `portaria keys …`: the keys that sign tokens, and the master key that seals everything. */
export function keysCommands(program: Command, cli: CliContext): void {
  const keys = program.command('keys').description('the keys that sign tokens, and the master key')
  addList(keys, { summary: 'list the signing keys, oldest first', example: 'keys list' }).action((options: PageOptions) =>
    cli.onDatabase(options, (context) => list(options, context)),
  )
  addVerb(keys, 'rotate', { summary: 'make the next signing key, which signs in a day', example: 'keys rotate' })
    .option('--now', 'let it sign at once: verifiers that cache the key set refuse its tokens until they fetch it again')
    .action((options: Options) => cli.onDatabase(options, (context) => rotate(options, context)))
  addVerb(keys, 'revoke', { summary: 'end a signing key and all tokens it has signed, at once', example: 'keys revoke Xb1c…' })
    .argument('<kid>', "the key's id, as `keys list` shows it")
    .action((kid: string, options: Options) => cli.onDatabase(options, (context) => revoke(kid, context)))
  const example =
    'keys rotate-master\n\n  with PORTARIA_MASTER_KEY (or _FILE) set to the new key and PORTARIA_MASTER_KEY_PREVIOUS (or _FILE) to the old one.\n  Stop the service first, or restart every node with both of them set.'
  addVerb(keys, 'rotate-master', { summary: 'seal everything with a new master key', example }).action((options: Options) =>
    cli.onDatabase(options, (context) => rotateMaster(context, cli)),
  )
}

async function list(options: PageOptions, { storage, now, localTime }: CommandContext): Promise<Outcome> {
  const all = await signingKeyStore(storage.db).list()
  const keys = pageFrom(all, ({ kid }) => kid, options)
  const stated = keys.map((key) => ({ id: key.kid, key, state: signingKeyState(key, all, now()) }))
  return listed(stated, options, {
    nothing: 'No signing keys yet: the first start of the service makes one.',
    headings: ['kid', 'state', 'signs from', 'revoked'],
    row: ({ id, key, state }) => [id, state, localTime(key.signsFrom), localTime(key.revokedAt) ?? ''],
    json: ({ key, state }) => signingKeyJson(key, state),
  })
}

async function rotate({ now: atOnce }: Options, context: CommandContext): Promise<Outcome> {
  const key = await rotateSigningKey({ at: atOnce ? 'once' : 'a_day_ahead' }, { ...context, actor: OPERATOR })
  const keys = await signingKeyStore(context.storage.db).list()
  const state = signingKeyState(keys.find(({ kid }) => kid === key.kid) ?? key, keys, context.now())
  const next = atOnce ? 'It signs now.' : `It is published now and signs from ${context.localTime(key.signsFrom)}.`
  const text = paragraphs(fields([['kid', key.kid]]), `${next} The key before it stays good until its last token has expired.`)
  return { json: signingKeyJson(key, state), text }
}

async function revoke(kid: string, context: CommandContext): Promise<Outcome> {
  const done = await revokeSigningKey(kid, { ...context, actor: OPERATOR })
  if (done === 'not_found') return { complaint: 'there is no such key that is not revoked already: see `portaria keys list`' }
  return {
    json: { kid, revoked: true },
    text: 'Revoked: every token it has signed is refused within 2 seconds, and users have to sign in again.',
  }
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

/** What is sealed: its name in JSON, in the answer of the use case, and in a text. */
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
  2. Remove PORTARIA_MASTER_KEY_PREVIOUS and restart the service. Sign-ins that are half done begin anew.
     Links that were mailed stay good; six-digit codes that were mailed do not: users use the link, or ask for a new mail.
  3. Keep the old key as long as you keep backups from before: they open with it alone.`
}

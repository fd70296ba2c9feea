import type { Command } from 'commander'
import { rotateMasterKey, signingKeyJson } from '../admin/index.ts'
import type { AppContext } from '../context.ts'
import { isoTime } from '../kit/index.ts'
import { masterKeyFile } from '../master-key-file.ts'
import { revokeSigningKey, rotateSigningKey, signingKeyState, signingKeyStore } from '../sessions/index.ts'
import { addList, addVerb, type CliContext, moreHint, OPERATOR, type PageOptions, pageFrom, withContext } from './command/cli-context.ts'
import { fields, type Outcome, paragraphs, table } from './command/output.ts'
import { masterKeySentence } from './command/refusals.ts'

interface Options {
  json?: boolean
  now?: boolean
}

/** `portaria keys …`: the keys that sign tokens, and the master key that seals everything. */
export function keysCommands(program: Command, cli: CliContext): void {
  const keys = program.command('keys').description('the keys that sign tokens, and the master key')
  addList(keys, { summary: 'list the signing keys, oldest first', example: 'keys list' }).action((options: PageOptions) =>
    cli.print(
      options,
      withContext(cli, (context) => list(options, context)),
    ),
  )
  addVerb(keys, 'rotate', { summary: 'make the next signing key, which signs in a day', example: 'keys rotate' })
    .option('--now', 'let it sign at once: verifiers that cache the key set refuse its tokens until they fetch it again')
    .action((options: Options) =>
      cli.print(
        options,
        withContext(cli, (context) => rotate(options, context)),
      ),
    )
  addVerb(keys, 'revoke', { summary: 'end a signing key and all tokens it has signed, at once', example: 'keys revoke Xb1c…' })
    .argument('<kid>', "the key's id, as `keys list` shows it")
    .action((kid: string, options: Options) =>
      cli.print(
        options,
        withContext(cli, (context) => revoke(kid, context)),
      ),
    )
  const example =
    'keys rotate-master\n\n  with PORTARIA_MASTER_KEY (or _FILE) set to the new key and PORTARIA_MASTER_KEY_PREVIOUS (or _FILE) to the old one.\n  Stop the service first, or restart every node with both of them set.'
  addVerb(keys, 'rotate-master', { summary: 'seal everything with a new master key', example }).action((options: Options) =>
    cli.print(options, withContext(cli, rotateMaster)),
  )
}

async function list(options: PageOptions, { storage, now }: AppContext): Promise<Outcome> {
  const all = await signingKeyStore(storage.db).list()
  const keys = pageFrom(all, ({ kid }) => kid, options)
  const stated = keys.map((key) => ({ key, state: signingKeyState(key, all, now()) }))
  const rows = stated.map(({ key, state }) => [key.kid, state, isoTime(key.signsFrom) ?? '', isoTime(key.revokedAt) ?? ''])
  const text =
    rows.length === 0
      ? 'No signing keys yet: the first start of the service makes one.'
      : table(['kid', 'state', 'signs from', 'revoked'], rows)
  return {
    json: stated.map(({ key, state }) => signingKeyJson(key, state)),
    text: paragraphs(
      text,
      moreHint(
        keys.map(({ kid }) => kid),
        options,
      ),
    ),
  }
}

async function rotate({ now: atOnce }: Options, context: AppContext): Promise<Outcome> {
  const key = await rotateSigningKey({ at: atOnce ? 'once' : 'a_day_ahead' }, { ...context, actor: OPERATOR })
  const keys = await signingKeyStore(context.storage.db).list()
  const state = signingKeyState(keys.find(({ kid }) => kid === key.kid) ?? key, keys, context.now())
  const next = atOnce ? 'It signs now.' : `It is published now and signs from ${isoTime(key.signsFrom)}.`
  const text = paragraphs(fields([['kid', key.kid]]), `${next} The key before it stays good until its last token has expired.`)
  return { json: signingKeyJson(key, state), text }
}

async function revoke(kid: string, context: AppContext): Promise<Outcome> {
  const done = await revokeSigningKey(kid, { ...context, actor: OPERATOR })
  if (done === 'not_found') return { complaint: 'there is no such key that is not revoked already: see `portaria keys list`' }
  return {
    json: { kid, revoked: true },
    text: 'Revoked: every token it has signed is refused within 2 seconds, and users have to sign in again.',
  }
}

async function rotateMaster(context: AppContext): Promise<Outcome> {
  const { config } = context
  if (!config.masterKey || !config.previousMasterKey) {
    const old = masterKeyFile(config) ?? 'the old key'
    const how = `set PORTARIA_MASTER_KEY to a new key (\`openssl rand -base64 32\`) and PORTARIA_MASTER_KEY_PREVIOUS to the one in use`
    return { complaint: `${how}, or their _FILE variants (the one in use: ${old})` }
  }
  const resealed = await rotateMasterKey(
    { sealer: context.sealer, taxIdKey: context.masterKeys.taxIdIndex },
    { ...context, actor: OPERATOR },
  )
  if ('refusal' in resealed) return { complaint: masterKeySentence(resealed) }
  const { signingKeys, webhookKeys, gatewayCredentials, taxIds, identityProviders, tickets, secondFactors, outbox, idpAttempts } = resealed
  const text = fields([
    ['signing keys', String(signingKeys)],
    ['webhook keys', String(webhookKeys)],
    ['gateway credentials', String(gatewayCredentials)],
    ['tax ids', String(taxIds)],
    ['identity providers', String(identityProviders)],
    ['mailed links', String(tickets)],
    ['second factors', String(secondFactors)],
    ['pending mails', String(outbox)],
    ['provider sign-ins under way', String(idpAttempts)],
  ])
  return {
    json: {
      signing_keys: signingKeys,
      webhook_keys: webhookKeys,
      gateway_credentials: gatewayCredentials,
      tax_ids: taxIds,
      identity_providers: identityProviders,
      tickets,
      second_factors: secondFactors,
      outbox,
      idp_attempts: idpAttempts,
    },
    text: paragraphs('Sealed with the new master key:', text, nextSteps(context)),
  }
}

function nextSteps({ config }: AppContext): string {
  const file = masterKeyFile(config)
  const place =
    file === undefined ? 'Keep the new key in PORTARIA_MASTER_KEY' : `Put the new key into ${file} (or keep it in PORTARIA_MASTER_KEY)`
  return `Now:
  1. ${place}, and a copy of it elsewhere.
  2. Remove PORTARIA_MASTER_KEY_PREVIOUS and restart the service. Sign-ins that are half done begin anew.
     Links that were mailed stay good; six-digit codes that were mailed do not: users use the link, or ask for a new mail.
  3. Keep the old key as long as you keep backups from before: they open with it alone.`
}

import type { Command } from 'commander'
import { signingKeyJson } from '../admin/index.ts'
import { revokeSigningKey, rotateSigningKey, signingKeyState, signingKeyStore } from '../sessions/index.ts'
import { addVerb, type CliContext, OPERATOR } from './command/cli-context.ts'
import { fields, paragraphs } from './command/layout.ts'
import type { CommandContext } from './command/open-context.ts'
import type { Outcome } from './command/output.ts'
import { addList, listed, type PageOptions, pageFrom } from './command/paging.ts'
import { addRotateMaster } from './keys/rotate-master.ts'

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
  addRotateMaster(keys, cli)
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
  if ('refusal' in key) {
    const when = `${key.kid} is published already and signs from ${context.localTime(key.signsFrom)}`
    return { complaint: `nothing was made, since ${when}. \`portaria keys rotate --now\` makes one that signs at once` }
  }
  const keys = await signingKeyStore(context.storage.db).list()
  const state = signingKeyState(keys.find(({ kid }) => kid === key.kid) ?? key, keys, context.now())
  const next = atOnce ? 'It signs now.' : `It is published now and signs from ${context.localTime(key.signsFrom)}.`
  const text = paragraphs(fields([['kid', key.kid]]), `${next} The key before it stays valid until its last token has expired.`)
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

import type { Command } from 'commander'
import {
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  findUser,
  inviteOf,
  revokeUserSessions,
  setUser,
  setUserPassword,
} from '../../admin/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { readPersonalData } from '../../personal-data/index.ts'
import { type User, type UserChange, userStore } from '../../users/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { oneOf, readSecret } from '../command/input.ts'
import { paragraphs } from '../command/layout.ts'
import { type CommandContext, withContext, withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { userSentence } from '../sentences/user-sentences.ts'
import { passwordHint } from './invitation.ts'
import { addCorrections, type CorrectOptions, correcting } from './user-correct.ts'
import { removeUserFactors } from './user-factors.ts'
import { addUserList } from './user-list.ts'
import { detailsJson, readDetails, userFields } from './user-view.ts'

interface Options {
  json?: boolean
  email?: string
  id?: string
  passwordStdin?: boolean
}

const PASSWORD_FLAG = ['--password-stdin', 'read the password from standard input (at a terminal it is asked for, unseen)'] as const
const WHO = 'the user, by email address, id or external id'

/** `portaria user …`: the operator's actions on users. */
export function userCommands(program: Command, cli: CliContext): void {
  const user = program.command('user').description('users and their accounts')
  addCreate(user, cli)
  addReading(user, cli)
  addSet(user, cli)
  addWho(user, 'set-password', {
    summary: 'set a new password and end all sessions',
    example: 'user set-password ana@example.com --password-stdin < password.txt',
  })
    .option(...PASSWORD_FLAG)
    .action((who: string | undefined, options: Options) => cli.print(options, setPassword(who, options, cli)))
  addActions(user, cli)
}

interface CreateOptions extends Options {
  email: string
  name: string
  admin?: boolean
  verified?: boolean
  producer?: boolean
  beta?: boolean
}

function addCreate(user: Command, cli: CliContext): void {
  const example = 'user create --email ana@example.com --name "Ana Souza" --verified --password-stdin < password.txt'
  addVerb(user, 'create', { summary: 'make an account; without a password the user is invited by mail', example })
    .requiredOption('--email <address>', 'the address for signing in')
    .requiredOption('--name <name>', "the user's name")
    .option(...PASSWORD_FLAG)
    .option('--admin', 'make an administrator: the role owner')
    .option('--verified', "the operator vouches that the address is the user's")
    .option('--producer', 'mark as a producer')
    .option('--beta', 'make a beta user, who is asked to accept the NDA')
    .action((options: CreateOptions) => cli.print(options, create(options, cli)))
}

async function create(options: CreateOptions, cli: CliContext): Promise<Outcome> {
  const password = options.passwordStdin ? await readSecret('Password', cli) : undefined
  return withNewContext(cli, async (context) => {
    const { email, name, admin, verified = false, producer: isProducer = false, beta: isBeta = false } = options
    const input = { email, name, verified, isProducer, isBeta, password, role: admin ? ('owner' as const) : undefined }
    const made = await createUser(input, { ...context, actor: OPERATOR, invite: inviteOf(context) })
    if ('refusal' in made) return { complaint: userSentence(made) }
    return showUser(made, context, password === undefined ? passwordHint(made, context) : undefined)
  })
}

function addReading(user: Command, cli: CliContext): void {
  addUserList(user, cli)
  addWho(user, 'show', { summary: 'show one account', example: 'user show ana@example.com' }).action(
    (who: string | undefined, options: Options) => cli.print(options, onUser(who, options, cli, showUser)),
  )
}

interface SetOptions extends Options {
  name?: string
  avatarUrl?: string
  companyName?: string
  rankName?: string
  producer?: boolean
  beta?: boolean
  verified?: boolean
  role?: 'owner' | 'support' | 'viewer' | 'none'
}

function addSet(user: Command, cli: CliContext): void {
  addWho(user, 'set', {
    summary: 'change an account; an empty text removes an optional one',
    example: 'user set ana@example.com --rank-name Gold --producer',
  })
    .option('--name <name>', "the user's name")
    .option('--avatar-url <url>', 'an https:// address of a picture')
    .option('--company-name <name>')
    .option('--rank-name <name>')
    .option('--producer')
    .option('--no-producer')
    .option('--beta', 'make a beta user, who is asked to accept the NDA')
    .option('--no-beta')
    .option('--verified', "the operator vouches that the address is the user's")
    .option('--no-verified')
    .option('--role <role>', 'owner, support, viewer or none', oneOf(['owner', 'support', 'viewer', 'none']))
    .action((who: string | undefined, options: SetOptions) => cli.print(options, set(who, options, cli)))
}

async function set(who: string | undefined, options: SetOptions, cli: CliContext): Promise<Outcome> {
  const change = changeOf(options)
  if (Object.keys(change).length === 0) return { misuse: 'nothing to change: give at least one option; see `portaria user set --help`' }
  return onUser(who, options, cli, async (user, context) => {
    const changed = await setUser(user, change, { ...context, actor: OPERATOR, invite: inviteOf(context) })
    return 'refusal' in changed ? { complaint: userSentence(changed) } : showUser(changed, context)
  })
}

function changeOf({ name, avatarUrl, companyName, rankName, producer, beta, verified, role }: SetOptions): UserChange {
  return {
    ...(name !== undefined && { name }),
    ...(avatarUrl !== undefined && { avatarUrl: avatarUrl || null }),
    ...(companyName !== undefined && { companyName: companyName || null }),
    ...(rankName !== undefined && { rankName: rankName || null }),
    ...(producer !== undefined && { isProducer: producer }),
    ...(beta !== undefined && { isBeta: beta }),
    ...(verified !== undefined && { verified }),
    ...(role !== undefined && { role: role === 'none' ? null : role }),
  }
}

async function setPassword(who: string | undefined, options: Options, cli: CliContext): Promise<Outcome> {
  if (!options.passwordStdin) return { misuse: 'a password comes from standard input alone: add --password-stdin' }
  const password = await readSecret('New password', cli)
  return onUser(who, options, cli, async (user, context) => {
    const done = await setUserPassword(user, password, { ...context, actor: OPERATOR })
    return 'refusal' in done ? { complaint: userSentence(done) } : report(user, context, `Password set, ${sessions(done.ended)} ended.`)
  })
}

function addActions(user: Command, cli: CliContext): void {
  addWho(user, 'disable', {
    summary: 'end sign-in, sessions and access tokens at once',
    example: 'user disable ana@example.com --reason "left the company"',
  })
    .option('--reason <text>', 'for the audit log')
    .action((who: string | undefined, options: Options & { reason?: string }) =>
      cli.print(
        options,
        onUser(who, options, cli, async (account, context) => {
          const done = await disableUser(account, options.reason, { ...context, actor: OPERATOR })
          return 'refusal' in done
            ? { complaint: userSentence(done) }
            : report(account, context, `Disabled, ${sessions(done.ended)} ended.`)
        }),
      ),
    )
  addAction(user, cli, 'enable', 'let a disabled user sign in again', async (account, context) => {
    await enableUser(account, { ...context, actor: OPERATOR })
    return report(account, context, 'Enabled: the user can sign in again.')
  })
  addWho(user, 'remove-factors', {
    summary: 'for someone who has lost every factor: remove second factor and passkeys, end all sessions',
    example: 'user remove-factors --email ana@example.com --reason "lost the phone; identity checked by video call"',
  })
    .requiredOption('--reason <text>', 'how you know that it is them, for the audit log')
    .action((who: string | undefined, options: Options & { reason: string }) =>
      cli.print(options, onUser(who, options, cli, removeUserFactors(options.reason))),
    )
  addCorrections(
    addWho(user, 'correct', {
      summary: 'put right an address, a phone or a tax id that is wrong',
      example: 'user correct ana@example.com --phone "(11) 91234-5678" --reason "by telephone, identity checked"',
    }),
  ).action((who: string | undefined, options: Options & CorrectOptions) =>
    cli.print(options, onUser(who, options, cli, correcting(options))),
  )
  addAction(user, cli, 'revoke-sessions', 'sign a user out everywhere', async (account, context) => {
    const { ended } = await revokeUserSessions(account, { ...context, actor: OPERATOR })
    return report(account, context, `${sessions(ended)} ended.`)
  })
  addWho(user, 'export', {
    summary: 'print all data stored about a user, as JSON',
    example: 'user export --email ana@example.com > ana.json',
  }).action((who: string | undefined, options: Options) => cli.print(options, onUser(who, options, cli, exportUser)))
  addAction(user, cli, 'delete', 'remove an account and everything that is its alone', async (account, context) => {
    const refused = await deleteUser(account, { ...context, actor: OPERATOR })
    if (refused) return { complaint: userSentence(refused) }
    return { json: { id: account.id, email: account.email, deleted: true }, text: `Deleted ${account.email} (${account.id}).` }
  })
}

type Action = (user: User, context: CommandContext) => Promise<Outcome>

function addAction(user: Command, cli: CliContext, name: string, summary: string, action: Action): void {
  addWho(user, name, { summary, example: `user ${name} ana@example.com` }).action((who: string | undefined, options: Options) =>
    cli.print(options, onUser(who, options, cli, action)),
  )
}

/** A command about one user, named by argument or by option. */
function addWho(user: Command, name: string, help: { summary: string; example: string }): Command {
  return addVerb(user, name, help).argument('[user]', WHO).option('--email <address>', WHO).option('--id <id>', WHO)
}

async function onUser(who: string | undefined, { email, id }: Options, cli: CliContext, work: Action): Promise<Outcome> {
  const [named, ...others] = [who, email, id].filter((name) => name !== undefined)
  if (named === undefined || others.length > 0)
    return { misuse: 'name one user, by email address, id or external id: `portaria user show ana@example.com`' }
  return withContext(cli, async (context) => {
    const { db } = context.storage
    const user = (await findUser(db, named)) ?? (await userStore(db).findByExternalId(named))
    return user ? work(user, context) : { complaint: userSentence({ refusal: 'not_found' }) }
  })
}

/** The file that the user could download; the same with and without `--json`. */
async function exportUser(user: User, context: CommandContext): Promise<Outcome> {
  const { storage, sealer, config, now } = context
  await recordAudit(storage.db, { actor: OPERATOR, action: 'user.export', target: user.id }, now())
  const json = await readPersonalData(user, { storage, sealer, baseUrl: config.baseUrl, now })
  return { json, text: JSON.stringify(json, undefined, 2) }
}

async function showUser(user: User, context: CommandContext, hint?: string): Promise<Outcome> {
  const details = await readDetails(user, context)
  return { json: detailsJson(details), text: paragraphs(userFields(details, context), hint) }
}

/** The account for programs; a sentence for users. */
async function report({ id }: User, context: CommandContext, text: string): Promise<Outcome> {
  const user = await userStore(context.storage.db).findById(id)
  return user ? { json: detailsJson(await readDetails(user, context)), text } : { complaint: userSentence({ refusal: 'not_found' }) }
}

function sessions(count: number): string {
  return count === 1 ? '1 session' : `${count} sessions`
}

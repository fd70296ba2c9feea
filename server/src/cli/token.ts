import type { Command } from 'commander'
import {
  ADMIN_SCOPES,
  type AdminScope,
  type AdminToken,
  adminTokenState,
  adminTokenStore,
  createAdminToken,
  ROLES,
  type Role,
  revokeAdminToken,
  tokenJson,
} from '../admin/index.ts'
import { addVerb, type CliContext, OPERATOR } from './command/cli-context.ts'
import { collect, oneOf, wholeNumber } from './command/input.ts'
import { fields, paragraphs } from './command/layout.ts'
import type { CommandContext } from './command/open-context.ts'
import type { Outcome } from './command/output.ts'
import { addList, listed, type PageOptions, pageOf } from './command/paging.ts'
import { adminTokenSentence, NO_SUCH_TOKEN } from './sentences/token-sentences.ts'

interface CreateOptions {
  json?: boolean
  name: string
  role: Role
  scope?: AdminScope[]
  expiresDays?: number
}

const MAX_DAYS = 3_650

/** `portaria token …`: keys with which the operator's scripts call /api/admin. */
export function tokenCommands(program: Command, cli: CliContext): void {
  const token = program.command('token').description("admin tokens: keys of the operator's scripts")
  addVerb(token, 'create', {
    summary: 'make an admin token; it is shown this once',
    example: 'token create --name "nightly check" --role support --scope webhooks:test --expires-days 90',
  })
    .requiredOption('--name <name>', 'what it is for, as the list shows it')
    .requiredOption('--role <role>', `what it may do: ${ROLES.join(', ')}`, oneOf(ROLES))
    .option(
      '--scope <scope>',
      `narrows it: ${ADMIN_SCOPES.join(', ')}; may be repeated. None: all that its role may do`,
      collect(oneOf(ADMIN_SCOPES)),
    )
    .option('--expires-days <days>', 'valid for this many days (default: until it is revoked)', wholeNumber({ least: 1, most: MAX_DAYS }))
    .action((options: CreateOptions) => cli.onNewDatabase(options, (context) => create(options, context)))
  addList(token, { summary: 'list admin tokens, newest first', example: 'token list' }).action((options: PageOptions) =>
    cli.onDatabase(options, (context) => list(options, context)),
  )
  addVerb(token, 'revoke', { summary: 'end an admin token at once', example: 'token revoke 0199c2b4-…' })
    .argument('<id>', "the token's id, as `token list` shows it")
    .action((id: string, options: { json?: boolean }) => cli.onDatabase(options, (context) => revoke(id, context)))
}

async function create({ name, role, scope: scopes = [], expiresDays }: CreateOptions, context: CommandContext): Promise<Outcome> {
  const made = await createAdminToken({ name, role, scopes, expiresDays }, { ...context, actor: OPERATOR })
  if ('refusal' in made) return { complaint: adminTokenSentence(made) }
  const { token, key } = made
  const { id, ...rest } = tokenJson(token, context.now())
  const text = fields([
    ['id', id],
    ['name', name],
    ['role', role],
    ['scopes', scopesOf(token)],
    ['expires', context.localTime(token.expiresAt) ?? 'never'],
  ])
  return { json: { id, token: key, ...rest }, text: paragraphs(text, `Admin token, shown this once, keep it now:\n  ${key}`) }
}

async function list(options: PageOptions, { storage, now, localTime }: CommandContext): Promise<Outcome> {
  const tokens = await adminTokenStore(storage.db).list(pageOf(options))
  return listed(tokens, options, {
    nothing: 'No admin tokens: make one with `portaria token create`.',
    headings: ['id', 'name', 'role', 'scopes', 'state', 'expires', 'key'],
    row: (token) => [
      token.id,
      token.name,
      token.role,
      scopesOf(token),
      adminTokenState(token, now()),
      localTime(token.expiresAt) ?? 'never',
      token.hint,
    ],
    json: (token) => tokenJson(token, now()),
  })
}

async function revoke(id: string, context: CommandContext): Promise<Outcome> {
  const done = await revokeAdminToken(id, { ...context, actor: OPERATOR })
  if (done === 'not_found') return { complaint: NO_SUCH_TOKEN }
  return { json: { id, revoked: true }, text: 'Revoked: it is refused everywhere from now on.' }
}

function scopesOf({ scopes }: AdminToken): string {
  return scopes?.join(' ') ?? 'all of its role'
}

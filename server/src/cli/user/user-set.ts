import type { Command } from 'commander'
import { inviteOf, setUser } from '../../admin/index.ts'
import type { UserChange } from '../../users/index.ts'
import { type CliContext, OPERATOR } from '../command/cli-context.ts'
import { oneOf } from '../command/input.ts'
import type { Outcome } from '../command/output.ts'
import { userSentence } from '../sentences/user-sentences.ts'
import { addWho, onUser, showUser, type UserOptions } from './on-user.ts'

interface SetOptions extends UserOptions {
  name?: string
  avatarUrl?: string
  companyName?: string
  rankName?: string
  producer?: boolean
  beta?: boolean
  verified?: boolean
  role?: 'owner' | 'support' | 'viewer' | 'none'
}

export function addSet(user: Command, cli: CliContext): void {
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

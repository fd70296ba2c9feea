import type { Command } from 'commander'
import { createUser, inviteOf } from '../../admin/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { readSecret } from '../command/input.ts'
import { withNewContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { userSentence } from '../sentences/user-sentences.ts'
import { passwordHint } from './invitation.ts'
import { showUser, type UserOptions } from './on-user.ts'
import { PASSWORD_FLAG } from './user-password.ts'

interface CreateOptions extends UserOptions {
  email: string
  name: string
  admin?: boolean
  verified?: boolean
  producer?: boolean
  beta?: boolean
}

export function addCreate(user: Command, cli: CliContext): void {
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

import type { Command } from 'commander'
import { endEverySession } from '../sessions/index.ts'
import { addVerb, type CliContext, OPERATOR } from './command/cli-context.ts'

/** `portaria session …`: the sessions of all users; those of one user are `portaria user revoke-sessions`. */
export function sessionCommands(program: Command, cli: CliContext): void {
  const session = program.command('session').description('the sessions of all users')
  addVerb(session, 'revoke-all', {
    summary: 'sign everyone out, at once and on every node',
    example: 'session revoke-all --reason "restored a dump"',
  })
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((options: { json?: boolean; reason: string }) =>
      cli.onDatabase(options, async (context) => {
        const ended = await endEverySession({ ...context, actor: { name: OPERATOR, reason: options.reason } })
        return { json: { sessions_ended: ended }, text: `${ended} session${ended === 1 ? '' : 's'} ended: users have to sign in again.` }
      }),
    )
}

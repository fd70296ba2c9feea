import type { Command } from 'commander'
import { endEverySession } from '../sessions/index.ts'
import { addVerb, type Desk, OPERATOR, withContext } from './desk.ts'

/** `portaria session …`: the sessions of everybody; those of one person are `portaria user revoke-sessions`. */
export function sessionCommands(program: Command, desk: Desk): void {
  const session = program.command('session').description('the sessions of everybody')
  addVerb(session, 'revoke-all', {
    summary: 'sign everyone out, at once and on every node',
    example: 'session revoke-all --reason "restored a dump"',
  })
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((options: { json?: boolean; reason: string }) =>
      desk.answer(
        options,
        withContext(desk, async (context) => {
          const ended = await endEverySession({ ...context, actor: { name: OPERATOR, reason: options.reason } })
          return { json: { sessions_ended: ended }, text: `${ended} session${ended === 1 ? '' : 's'} ended: people sign in again.` }
        }),
      ),
    )
}

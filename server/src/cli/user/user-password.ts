import type { Command } from 'commander'
import { setUserPassword } from '../../admin/index.ts'
import { type CliContext, OPERATOR } from '../command/cli-context.ts'
import { readSecret } from '../command/input.ts'
import type { Outcome } from '../command/output.ts'
import { userSentence } from '../sentences/user-sentences.ts'
import { addWho, onUser, reportUser, sessionsText, type UserOptions } from './on-user.ts'

export const PASSWORD_FLAG = ['--password-stdin', 'read the password from standard input (at a terminal it is asked for, unseen)'] as const

export function addSetPassword(user: Command, cli: CliContext): void {
  addWho(user, 'set-password', {
    summary: 'set a new password and end all sessions',
    example: 'user set-password ana@example.com --password-stdin < password.txt',
  })
    .option(...PASSWORD_FLAG)
    .action((who: string | undefined, options: UserOptions) => cli.print(options, setPassword(who, options, cli)))
}

async function setPassword(who: string | undefined, options: UserOptions, cli: CliContext): Promise<Outcome> {
  if (!options.passwordStdin) return { misuse: 'a password comes from standard input alone: add --password-stdin' }
  const password = await readSecret('New password', cli)
  return onUser(who, options, cli, async (user, context) => {
    const done = await setUserPassword(user, password, { ...context, actor: OPERATOR })
    return 'refusal' in done
      ? { complaint: userSentence(done) }
      : reportUser(user, context, `Password set, ${sessionsText(done.ended)} ended.`)
  })
}

import type { Command } from 'commander'
import type { CliContext } from '../command/cli-context.ts'
import { addWho, onUser, showUser, type UserOptions } from './on-user.ts'
import { addActions } from './user-actions.ts'
import { addCreate } from './user-create.ts'
import { addUserList } from './user-list.ts'
import { addSetPassword } from './user-password.ts'
import { addSet } from './user-set.ts'

/** `portaria user …`: the operator's actions on users. */
export function userCommands(program: Command, cli: CliContext): void {
  const user = program.command('user').description('users and their accounts')
  addCreate(user, cli)
  addReading(user, cli)
  addSet(user, cli)
  addSetPassword(user, cli)
  addActions(user, cli)
}

function addReading(user: Command, cli: CliContext): void {
  addUserList(user, cli)
  addWho(user, 'show', { summary: 'show one account', example: 'user show ana@example.com' }).action(
    (who: string | undefined, options: UserOptions) => cli.print(options, onUser(who, options, cli, showUser)),
  )
}

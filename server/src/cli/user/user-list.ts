import type { Command } from 'commander'
import { searchUsers, userJson } from '../../admin/index.ts'
import { userStore } from '../../users/index.ts'
import type { CliContext } from '../command/cli-context.ts'
import { paragraphs } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, moreHint, type PageOptions, pageOf } from '../command/paging.ts'
import { userTable } from './user-view.ts'

interface ListOptions extends PageOptions {
  search?: string
}

/** `portaria user list`. */
export function addUserList(user: Command, cli: CliContext): void {
  addList(user, { summary: 'list users, oldest first, or find them', example: 'user list --search "ana souza" --limit 20' })
    .option('--search <text>', 'only users with these words in their name or address, or with this CPF, CNPJ, phone or id')
    .action((options: ListOptions) => cli.onDatabase(options, (context) => list(options, context)))
}

const NOBODY = 'No user matches that. `portaria webhook list --email ADDRESS` shows the purchases of an address that has no account.'

async function list(options: ListOptions, context: CommandContext): Promise<Outcome> {
  const { db } = context.storage
  const typed = options.search?.trim() ?? ''
  const page = pageOf(options)
  const users = typed === '' ? await userStore(db).list(page) : await searchUsers(typed, page, { db, ...context })
  const hint = moreHint(users, options)
  return { json: users.map(userJson), text: typed !== '' && users.length === 0 ? NOBODY : paragraphs(userTable(users, context), hint) }
}

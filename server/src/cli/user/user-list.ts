import type { Command } from 'commander'
import { searchUsers, userJson } from '../../admin/index.ts'
import { userStore } from '../../users/index.ts'
import { addList, type CliContext, type CommandContext, moreHint, type PageOptions, pageOf, withContext } from '../command/cli-context.ts'
import { type Outcome, paragraphs } from '../command/output.ts'
import { userTable } from './user-view.ts'

interface ListOptions extends PageOptions {
  search?: string
}

/** `portaria user list`. */
export function addUserList(user: Command, cli: CliContext): void {
  addList(user, { summary: 'list users, oldest first, or find them', example: 'user list --search "ana souza" --limit 20' })
    .option('--search <text>', 'only users with these words in their name or address, or with this CPF, CNPJ, phone or id')
    .action((options: ListOptions) =>
      cli.print(
        options,
        withContext(cli, (context) => list(options, context)),
      ),
    )
}

const NOBODY = 'Nobody is found by that. `portaria webhook list --email ADDRESS` shows purchases of an address without an account.'

async function list(options: ListOptions, context: CommandContext): Promise<Outcome> {
  const { db } = context.storage
  const typed = options.search?.trim() ?? ''
  const page = pageOf(options)
  const users = typed === '' ? await userStore(db).list(page) : await searchUsers(typed, page, { db, ...context })
  const hint = moreHint(
    users.map(({ id }) => id),
    options,
  )
  return { json: users.map(userJson), text: typed !== '' && users.length === 0 ? NOBODY : paragraphs(userTable(users, context), hint) }
}

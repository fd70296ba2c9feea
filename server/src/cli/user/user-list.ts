import type { Command } from 'commander'
import { userJson } from '../../admin/index.ts'
import type { AppContext } from '../../context.ts'
import { userStore } from '../../users/index.ts'
import { addList, type CliContext, moreHint, type PageOptions, pageOf, withContext } from '../command/cli-context.ts'
import { type Outcome, paragraphs } from '../command/output.ts'
import { userTable } from './user-view.ts'

interface ListOptions extends PageOptions {
  search?: string
}

/** `portaria user list`. */
export function addUserList(user: Command, cli: CliContext): void {
  addList(user, { summary: 'list accounts, oldest first', example: 'user list --search ana@ --limit 20' })
    .option('--search <text>', 'only addresses that begin with this')
    .action((options: ListOptions) =>
      cli.print(
        options,
        withContext(cli, (context) => list(options, context)),
      ),
    )
}

async function list(options: ListOptions, { storage }: AppContext): Promise<Outcome> {
  const search = options.search?.trim().toLowerCase()
  const users = await userStore(storage.db).list({ ...pageOf(options), ...(search && { search }) })
  const hint = moreHint(
    users.map(({ id }) => id),
    options,
  )
  return { json: users.map(userJson), text: paragraphs(userTable(users), hint) }
}

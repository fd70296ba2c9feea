import type { Command } from 'commander'
import { providerJson } from '../../admin/index.ts'
import type { AppContext } from '../../context.ts'
import { providerStore } from '../../identity-providers/index.ts'
import type { CliContext } from '../command/cli-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, listed, type PageOptions, pageFrom } from '../command/paging.ts'

export function addListing(idp: Command, cli: CliContext): void {
  addList(idp, { summary: 'list the identity providers, by name', example: 'idp list' }).action((options: PageOptions) =>
    cli.onDatabase(options, (context) => list(options, context)),
  )
}

async function list(options: PageOptions, { storage }: AppContext): Promise<Outcome> {
  const providers = pageFrom(await providerStore(storage.db).list(), ({ id }) => id, options)
  return listed(providers, options, {
    nothing: 'No identity providers: connect one with `portaria idp add`.',
    headings: ['id', 'name', 'issuer', 'client id', 'authoritative for', 'access tokens for'],
    row: (one) => [one.id, one.name, one.issuer, one.clientId, one.authoritativeFor.join(' '), one.accessTokenAudience ?? ''],
    json: providerJson,
  })
}

import type { Command } from 'commander'
import { endpointJson, readSlugs } from '../../admin/index.ts'
import { endpointState, endpointStore } from '../../app-events/index.ts'
import type { CliContext } from '../command/cli-context.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, listed, type PageOptions, pageFrom } from '../command/paging.ts'
import { productOf } from './endpoint-view.ts'

export function addListing(endpoint: Command, cli: CliContext): void {
  addList(endpoint, { summary: 'list endpoints, oldest first', example: 'endpoint list' }).action((options: PageOptions) =>
    cli.onDatabase(options, (context) => list(options, context)),
  )
}

async function list(options: PageOptions, { storage }: CommandContext): Promise<Outcome> {
  const page = pageFrom(await endpointStore(storage.db).list(), ({ id }) => id, options)
  const slugs = await readSlugs(storage.db)
  const json = new Map<string, unknown>()
  for (const endpoint of page) json.set(endpoint.id, await endpointJson(endpoint, { db: storage.db, slugs }))
  return listed(page, options, {
    nothing: 'No endpoints: make one with `portaria endpoint add URL`.',
    headings: ['id', 'product', 'state', 'url', 'description'],
    row: (endpoint) => [endpoint.id, productOf(endpoint, slugs), endpointState(endpoint), endpoint.url, endpoint.description],
    json: ({ id }) => json.get(id),
  })
}

import type { Command } from 'commander'
import { eventJson, readSlugs } from '../../admin/index.ts'
import { eventLogStore } from '../../event-delivery/index.ts'
import type { CliContext } from '../command/cli-context.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, listed, type PageOptions, pageOf } from '../command/paging.ts'

export function addListing(events: Command, cli: CliContext): void {
  addList(events, { summary: 'list events, newest first', example: 'events list --subject 0199c2b4-…' })
    .option('--subject <user>', 'only those about this user')
    .option('--endpoint <id>', 'only those for this endpoint')
    .action((options: PageOptions & { subject?: string; endpoint?: string }) =>
      cli.onDatabase(options, (context) => list(options, context)),
    )
}

async function list(
  options: PageOptions & { subject?: string; endpoint?: string },
  { storage, localTime }: CommandContext,
): Promise<Outcome> {
  const { limit, cursor } = pageOf(options)
  const after = cursor === undefined ? undefined : { value: cursor, id: cursor }
  const wanted = { subject: options.subject, endpointId: options.endpoint }
  const found = await eventLogStore(storage.db).listPage(wanted, { sort: 'occurred_at', direction: 'desc', after, limit })
  const slugs = await readSlugs(storage.db)
  const productOf = (id: string | undefined) => (id !== undefined && slugs.get(id)) || ''
  return listed(found, options, {
    nothing: 'No events.',
    headings: ['id', 'occurred', 'type', 'product', 'subject'],
    row: ({ id, type, subject, productId, occurredAt }) => [id, localTime(occurredAt), type, productOf(productId), subject],
    json: (event) => eventJson(event, slugs),
  })
}

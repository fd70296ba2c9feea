import type { Command } from 'commander'
import { eventDetailsJson, readSlugs } from '../../admin/index.ts'
import { eventLogStore } from '../../event-delivery/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { fields, paragraphs, table } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'

export function addShow(events: Command, cli: CliContext): void {
  addVerb(events, 'show', { summary: 'show an event with each attempt to deliver it', example: 'events show 0199c2b4-…' })
    .argument('<id>', 'its `webhook-id`')
    .action((id: string, options: { json?: boolean }) => cli.onDatabase(options, (context) => show(id, context)))
}

async function show(id: string, { storage, localTime }: CommandContext): Promise<Outcome> {
  const log = eventLogStore(storage.db)
  const event = await log.find(id)
  if (!event) return { complaint: NO_SUCH_EVENT }
  const [deliveries, attempts, slugs] = [await log.listDeliveries(id), await log.listAttempts(id), await readSlugs(storage.db)]
  const text = fields([
    ['id', id],
    ['type', event.type],
    ['occurred', localTime(event.occurredAt)],
    ['data', event.data ?? 'scrubbed'],
  ])
  const tried = attempts.map(({ endpointId, at, ms, status, fault, answer }) => [
    endpointId,
    localTime(at),
    `${ms} ms`,
    String(status ?? fault ?? ''),
    (answer ?? '').slice(0, 60),
  ])
  const waiting = deliveries.map(({ endpointId, state, nextAt }) => [endpointId, state, nextAt === undefined ? '' : localTime(nextAt)])
  const json = eventDetailsJson(event, { deliveries, attempts, slugs })
  const deliveryTable = waiting.length === 0 ? undefined : table(['endpoint', 'state', 'next'], waiting)
  const attemptTable = tried.length === 0 ? undefined : table(['endpoint', 'at', 'took', 'answer', 'text'], tried)
  return { json, text: paragraphs(text, deliveryTable, attemptTable) }
}

export const NO_SUCH_EVENT = 'there is no such event: find its id with `portaria events list`; they are kept for 90 days'

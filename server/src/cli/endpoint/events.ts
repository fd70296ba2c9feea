import type { Command } from 'commander'
import { eventDetailsJson, eventJson, readSlugs } from '../../admin/index.ts'
import { eventLogStore, replayOne, replayToEndpoint } from '../../event-delivery/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { fields, paragraphs, table } from '../command/layout.ts'
import { type CommandContext, withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, listed, type PageOptions, pageOf } from '../command/paging.ts'
import { endpointSentence } from '../sentences/endpoint-sentences.ts'
import type { TailOptions } from './tail.ts'

interface ReplayOptions {
  json?: boolean
  endpoint?: string
  failed?: boolean
  since?: string
}

/** `portaria events …`: events as endpoints received them, and the outcome. */
export function eventsCommands(program: Command, cli: CliContext): void {
  const events = program.command('events').description('events of the last 90 days, their deliveries and replays')
  addList(events, { summary: 'list events, newest first', example: 'events list --subject 0199c2b4-…' })
    .option('--subject <user>', 'only those about this user')
    .option('--endpoint <id>', 'only those for this endpoint')
    .action((options: PageOptions & { subject?: string; endpoint?: string }) =>
      cli.onDatabase(options, (context) => list(options, context)),
    )
  addVerb(events, 'show', { summary: 'show an event with each attempt to deliver it', example: 'events show 0199c2b4-…' })
    .argument('<id>', 'its `webhook-id`')
    .action((id: string, options: { json?: boolean }) => cli.onDatabase(options, (context) => show(id, context)))
  addVerb(events, 'tail', {
    summary: 'follow the events of a running service, and forward each to a local address; PORTARIA_ADMIN_TOKEN is its admin token',
    example: 'events tail --forward-to http://localhost:4001/hooks --product academy',
  })
    .requiredOption('--forward-to <url>', 'where each event is sent to, signed with a secret that is shown at the start')
    .option('--product <slug>', "only its events (default: every product's)")
    .option('--service <url>', 'the running service (default: PORTARIA_URL)')
    .option('--anywhere', 'the address need not be of this machine')
    .action((options: TailOptions & { json?: boolean }) => cli.print(options, tail(options, cli)))
  addVerb(events, 'replay', {
    summary: 'deliver again: one event, or what an endpoint has missed',
    example: 'events replay --endpoint 0199c2b4-… --since 2026-11-20T00:00:00Z',
  })
    .argument('[id]', 'its `webhook-id`')
    .option('--endpoint <id>', 'to this endpoint; without an event: what it has missed')
    .option('--failed', 'with --endpoint alone: everything that has failed')
    .option('--since <time>', 'with --endpoint alone: everything since then (ISO 8601)')
    .action((id: string | undefined, options: ReplayOptions) => cli.print(options, replay(id, options, cli)))
}

/** Until Ctrl-C, or a signal that ends processes. */
async function tail(options: TailOptions, cli: CliContext): Promise<Outcome> {
  const { tailEvents } = await import('./tail.ts')
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  try {
    const service = options.service ?? cli.environment.PORTARIA_URL
    return await tailEvents({ ...options, ...(service !== undefined && { service }) }, cli, ending.signal)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
  }
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

async function replay(id: string | undefined, { endpoint, failed, since }: ReplayOptions, cli: CliContext): Promise<Outcome> {
  const at = since === undefined ? undefined : Date.parse(since)
  if (Number.isNaN(at)) return { misuse: '--since expects a time like 2026-11-20T00:00:00Z' }
  if (id !== undefined) {
    if (failed || at !== undefined) return { misuse: 'name an event, or an endpoint with --failed or --since' }
    return withContext(cli, async (context) => {
      const done = await replayOne(id, endpoint, { ...context, actor: OPERATOR })
      return 'refusal' in done ? { complaint: NO_SUCH_EVENT } : replayed(done)
    })
  }
  if (endpoint === undefined || (failed === true) === (at !== undefined))
    return { misuse: 'name an event, or an endpoint with either --failed or --since' }
  return withContext(cli, async (context) => {
    const done = await replayToEndpoint(endpoint, at === undefined ? 'failed' : { since: at }, { ...context, actor: OPERATOR })
    return 'refusal' in done ? { complaint: endpointSentence(done.refusal) } : replayed(done)
  })
}

function replayed(done: { replayed: number }): Outcome {
  return { json: done, text: `Due again: ${done.replayed}. The running service delivers them, with the same ids.` }
}

const NO_SUCH_EVENT = 'there is no such event: find its id with `portaria events list`; they are kept for 90 days'

import type { Command } from 'commander'
import { type Names, readNames } from '../../admin/index.ts'
import { isoTime } from '../../kit/index.ts'
import { checkInbox, type StreamDifference } from '../../notifications/index.ts'
import { checkSubscriptions, type Difference, type Facts } from '../../payment-history/index.ts'
import { countValues } from '../../storage/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { visible } from '../command/layout.ts'
import { type CommandContext, withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'

interface RebuildOptions {
  json?: boolean
  check?: boolean
  fromInbox?: boolean
}

/** `subscription rebuild --check`: compares stored subscriptions with the stored events. */
export function addRebuild(subscription: Command, cli: CliContext): void {
  addVerb(subscription, 'rebuild', {
    summary: 'work out every subscription again from its stored events, and name each difference; changes nothing',
    example: 'subscriptions rebuild --check',
  })
    .option('--check', 'compare only; required, since nothing is ever written')
    .option('--from-inbox', 'work it all out again from the stored notifications too, in memory; while no notifications come in')
    .action((options: RebuildOptions) =>
      cli.print(options, options.check ? withContext(cli, (context) => check(options, { context, cli })) : Promise.resolve(WITHOUT_CHECK)),
    )
}

async function compareInbox({ context, cli }: { context: CommandContext; cli: CliContext }): Promise<CheckedInbox> {
  const progress = await counting('notifications', ['notifications', 'subscription_id'], { context, cli })
  return checkInbox({ ...context, onNotification: progress.at }).finally(progress.end)
}

/** The progress of a work that goes through all values of a column. */
async function counting(
  things: string,
  column: readonly [table: string, column: string],
  { context, cli }: { context: CommandContext; cli: CliContext },
): Promise<{ at: (count: number) => void; end: () => void }> {
  const total = Math.max(await countValues(context.storage.db, [column]), 1)
  const progress = createProgress(things, cli)
  return { at: (count) => progress.at(count, count / total), end: progress.end }
}

/** Names in place of ids, and how a time is written: in lines as people read it, in JSON in UTC. */
interface Labels extends Names {
  timeOf(at: number): string
}

const WITHOUT_CHECK: Outcome = { misuse: 'nothing is rebuilt in place: add --check to compare (see: portaria subscription rebuild --help)' }

async function check({ fromInbox }: RebuildOptions, { context, cli }: { context: CommandContext; cli: CliContext }): Promise<Outcome> {
  const onStream = await counting('streams', ['event_streams', 'id'], { context, cli })
  const { streams, subscriptions, differences } = await checkSubscriptions({ ...context, onStream: onStream.at }).finally(onStream.end)
  const inbox = fromInbox ? await compareInbox({ context, cli }) : undefined
  const names = await readNames(context)
  const shown = { ...names, timeOf: context.localTime }
  const written = { ...names, timeOf: (at: number) => isoTime(at) ?? '' }
  const lines = differences.map((difference) => visible(differenceLine(difference, shown)))
  const counts = `compared with their events: subscriptions ${subscriptions}, streams ${streams}, differences ${differences.length}`
  const events = { streams, subscriptions, differences: differences.map((difference) => differenceJson(difference, written)) }
  return {
    json: { ...events, ...(inbox && { from_inbox: inboxJson(inbox, written) }) },
    text: [...lines, counts, ...(inbox ? inboxLines(inbox, shown) : [])].join('\n'),
    failed: differences.length + (inbox?.differences.length ?? 0) > 0,
  }
}

type CheckedInbox = Awaited<ReturnType<typeof checkInbox>>

function inboxLines({ notifications, streams, skipped, differences }: CheckedInbox, names: Labels): string[] {
  const counts = `compared with ${notifications} notifications: streams ${streams}, differences ${differences.length}`
  const lines = differences.map((difference) =>
    'says' in difference
      ? `stream ${difference.source}: ${difference.ref}: ${difference.says}`
      : differenceLine(difference, names, 'notifications'),
  )
  return [...lines.map(visible), skipped === 0 ? counts : `${counts}, not compared since nothing was kept ${skipped}`]
}

function inboxJson({ notifications, streams, skipped, differences }: CheckedInbox, names: Labels) {
  const json = (one: StreamDifference | Difference) =>
    'says' in one ? { stream_id: one.streamId, source: one.source, ref: one.ref, says: one.says } : differenceJson(one, names)
  return { notifications, streams, not_compared: skipped, differences: differences.map(json) }
}

/** `by`: what the subscription was worked out from. */
function differenceLine(difference: Difference, names: Labels, by: 'events' | 'notifications' = 'events'): string {
  const { subscriptionId, number, source, ref, stored, computed } = difference
  if (!stored) return `a subscription is missing: number ${number + 1} of ${source}: ${ref}; its ${by} say ${sayAll(computed ?? {}, names)}`
  if (!computed) return `subscription ${subscriptionId}: its ${by} know none; it is stored with ${sayAll(stored, names)}`
  const changes = labels.filter(([fact]) => fact in stored)
  const said = changes.map(([fact, label]) => `${label} is ${say(fact, stored, names)}, its ${by} say ${say(fact, computed, names)}`)
  return `subscription ${subscriptionId}: ${said.join('; ')}`
}

function sayAll(facts: Facts, names: Labels): string {
  const said = labels.filter(([fact]) => facts[fact] !== undefined)
  return said.map(([fact, label]) => `${label} ${say(fact, facts, names)}`).join(', ')
}

const labels = [
  ['state', 'state'],
  ['planId', 'plan'],
  ['productId', 'product'],
  ['email', 'buyer'],
  ['method', 'method'],
  ['periodEnd', 'paid until'],
  ['graceFrom', 'grace from'],
  ['accessUntil', 'access until'],
  ['changedAt', 'last event'],
] as const satisfies ReadonlyArray<readonly [keyof Facts, string]>

/** A readable value; one without a name is shown by its id. */
function say(fact: keyof Facts, facts: Facts, { plans, products, timeOf }: Labels): string {
  const value = facts[fact]
  if (value === undefined) return 'none'
  if (typeof value === 'number') return timeSaid(value, timeOf)
  if (fact === 'planId') return plans.get(value) ?? value
  return fact === 'productId' ? (products.get(value) ?? value) : value
}

/** 0 is stored for a subscription without access. */
function timeSaid(at: number, timeOf: Labels['timeOf']): string {
  if (!Number.isFinite(at)) return 'without end'
  return at === 0 ? 'never' : timeOf(at)
}

function differenceJson({ subscriptionId, streamId, source, ref, number, stored, computed }: Difference, names: Labels) {
  const facts = (side: Facts | undefined) =>
    side &&
    Object.fromEntries(labels.flatMap(([fact, label]) => (fact in side ? [[label.replaceAll(' ', '_'), jsonOf(fact, side, names)]] : [])))
  return {
    subscription_id: subscriptionId ?? null,
    stream_id: streamId,
    source,
    ref,
    number: number + 1,
    stored: facts(stored) ?? null,
    computed: facts(computed) ?? null,
  }
}

function jsonOf(fact: keyof Facts, facts: Facts, names: Labels): string | null {
  return facts[fact] === undefined ? null : say(fact, facts, names)
}

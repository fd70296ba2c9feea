import type { Command } from 'commander'
import { type Names, readNames } from '../../admin/index.ts'
import type { AppContext } from '../../app.ts'
import { isoTime } from '../../kit/index.ts'
import { checkSubscriptions, type Difference, type Facts } from '../../subscriptions/index.ts'
import { addVerb, type CliContext, withContext } from '../command/cli-context.ts'
import { type Outcome, visible } from '../command/output.ts'

interface RebuildOptions {
  json?: boolean
  check?: boolean
}

/** `subscription rebuild --check`: compares stored subscriptions with the stored events. */
export function addRebuild(subscription: Command, cli: CliContext): void {
  addVerb(subscription, 'rebuild', {
    summary: 'work out every subscription again from its stored events, and name each difference; changes nothing',
    example: 'subscriptions rebuild --check',
  })
    .option('--check', 'compare only; required, since nothing is ever written')
    .action((options: RebuildOptions) => cli.print(options, options.check ? withContext(cli, check) : Promise.resolve(WITHOUT_CHECK)))
}

const WITHOUT_CHECK: Outcome = { misuse: 'nothing is rebuilt in place: add --check to compare (see: portaria subscription rebuild --help)' }

async function check(context: AppContext): Promise<Outcome> {
  const { streams, subscriptions, differences } = await checkSubscriptions(context)
  const names = await readNames(context)
  const counted = `compared with their events: subscriptions ${subscriptions}, streams ${streams}`
  return {
    json: { streams, subscriptions, differences: differences.map((difference) => differenceJson(difference, names)) },
    text: [
      ...differences.map((difference) => visible(differenceLine(difference, names))),
      `${counted}, differences ${differences.length}`,
    ].join('\n'),
    failed: differences.length > 0,
  }
}

function differenceLine(difference: Difference, names: Names): string {
  const { subscriptionId, number, source, ref, stored, computed } = difference
  if (!stored)
    return `a subscription is missing: number ${number + 1} of ${source}: ${ref}; its events say ${sayAll(computed ?? {}, names)}`
  if (!computed) return `subscription ${subscriptionId}: no event speaks of it; it is stored with ${sayAll(stored, names)}`
  const changes = labels.filter(([fact]) => fact in stored)
  const said = changes.map(([fact, label]) => `${label} is ${say(fact, stored, names)}, its events say ${say(fact, computed, names)}`)
  return `subscription ${subscriptionId}: ${said.join('; ')}`
}

function sayAll(facts: Facts, names: Names): string {
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
function say(fact: keyof Facts, facts: Facts, { plans, products }: Names): string {
  const value = facts[fact]
  if (value === undefined) return 'none'
  if (typeof value === 'number') return Number.isFinite(value) ? timeOf(value) : 'without end'
  if (fact === 'planId') return plans.get(value) ?? value
  return fact === 'productId' ? (products.get(value) ?? value) : value
}

/** 0 is stored for a subscription without access. */
function timeOf(at: number): string {
  return at === 0 ? 'never' : (isoTime(at) ?? String(at))
}

function differenceJson({ subscriptionId, streamId, source, ref, number, stored, computed }: Difference, names: Names) {
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

function jsonOf(fact: keyof Facts, facts: Facts, names: Names): string | null {
  return facts[fact] === undefined ? null : say(fact, facts, names)
}

import type { Command } from 'commander'
import { readNames } from '../../admin/index.ts'
import { isoTime } from '../../kit/index.ts'
import { type Checked, checkSubscriptions, fixSubscriptions } from '../../payment-history/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { visible } from '../command/layout.ts'
import { type CommandContext, withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'
import { compareInbox, counting, inboxJson, inboxLines } from './check-inbox.ts'
import { differenceJson, differenceLine } from './difference-text.ts'

interface RebuildOptions {
  json?: boolean
  check?: boolean
  apply?: boolean
  force?: boolean
  fromInbox?: boolean
}

interface Run {
  context: CommandContext
  cli: CliContext
}

/** `subscription rebuild`: compares stored subscriptions with the stored events, and fixes those that differ. */
export function addRebuild(subscription: Command, cli: CliContext): void {
  addVerb(subscription, 'rebuild', {
    summary: 'work out every subscription again from its stored events, and name each difference; --apply fixes them',
    example: 'subscriptions rebuild --check',
  })
    .option('--check', 'compare only; nothing is written')
    .option('--apply', 'write what the events come to, and name what was changed; the service may run meanwhile')
    .option('--force', 'with --apply: however many would lose access (without it: 10 at most, or 1 % of those that give access)')
    .option('--from-inbox', 'with --check: work it out from the stored notifications too, in memory; while no notifications come in')
    .action((options: RebuildOptions) => cli.print(options, rebuild(options, cli)))
}

function rebuild(options: RebuildOptions, cli: CliContext): Promise<Outcome> {
  const misuse = misuseOf(options)
  if (misuse !== undefined) return Promise.resolve({ misuse })
  return withContext(cli, (context) => (options.apply ? fix(options, { context, cli }) : check(options, { context, cli })))
}

function misuseOf({ check: isCheck, apply, force, fromInbox }: RebuildOptions): string | undefined {
  if (isCheck && apply) return 'choose one: --check compares, --apply compares and fixes'
  if (apply && fromInbox) return '--apply fixes by the stored events alone: --from-inbox is for --check'
  if (force && !apply) return '--force is for --apply'
  if (isCheck || apply) return undefined
  return 'add --check to compare, or --apply to fix what differs (see: portaria subscription rebuild --help)'
}

async function check({ fromInbox }: RebuildOptions, { context, cli }: Run): Promise<Outcome> {
  const checked = await compare({ context, cli })
  const inbox = fromInbox ? await compareInbox({ context, cli }) : undefined
  const { shown, written } = await labelsOf(context)
  const { streams, subscriptions, differences } = checked
  const events = { streams, subscriptions, differences: differences.map((difference) => differenceJson(difference, written)) }
  return {
    json: { ...events, ...(inbox && { from_inbox: inboxJson(inbox, written) }) },
    text: [
      ...differences.map((difference) => visible(differenceLine(difference, shown))),
      countsOf(checked),
      ...(inbox ? inboxLines(inbox, shown) : []),
    ].join('\n'),
    failed: differences.length + (inbox?.differences.length ?? 0) > 0,
  }
}

async function fix({ force }: RebuildOptions, { context, cli }: Run): Promise<Outcome> {
  const checked = await compare({ context, cli })
  const progress = createProgress('streams fixed', cli)
  const onStream = (count: number, total: number) => progress.at(count, count / total)
  const deps = { ...context, actor: OPERATOR, onStream }
  const fixed = await fixSubscriptions(checked, { losing: force ? 'any' : 'few' }, deps).finally(progress.end)
  if ('refusal' in fixed) return { complaint: tooMany(fixed) }
  const { changed, lost, left } = fixed
  const { shown, written } = await labelsOf(context)
  return {
    json: {
      ...{ streams: checked.streams, subscriptions: checked.subscriptions, changed: changed.length, lost_access: lost },
      differences: changed.map((difference) => differenceJson(difference, written)),
      left: left.map((difference) => differenceJson(difference, written)),
    },
    text: [
      ...[...changed, ...left].map((difference) => visible(differenceLine(difference, shown))),
      countsOf(checked),
      `changed: subscriptions ${changed.length}, gave access and give none now ${lost}`,
      ...(left.length > 0 ? [`left as they are, since their streams have no events: subscriptions ${left.length}`] : []),
    ].join('\n'),
    failed: left.length > 0,
  }
}

function tooMany({ losing, most }: { losing: number; most: number }): string {
  return `${losing} subscriptions give access and would give none, more than ${most}: nothing is changed. See them with --check; if that is right, add --force`
}

async function compare({ context, cli }: Run): Promise<Checked> {
  const onStream = await counting('streams', ['event_streams', 'id'], { context, cli })
  return checkSubscriptions({ ...context, onStream: onStream.at }).finally(onStream.end)
}

function countsOf({ streams, subscriptions, differences }: Checked): string {
  return `compared with their events: subscriptions ${subscriptions}, streams ${streams}, differences ${differences.length}`
}

async function labelsOf(context: CommandContext) {
  const names = await readNames(context)
  return { shown: { ...names, timeOf: context.localTime }, written: { ...names, timeOf: (at: number) => isoTime(at) ?? '' } }
}

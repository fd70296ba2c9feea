import type { Command } from 'commander'
import { readNames } from '../../admin/index.ts'
import { isoTime } from '../../kit/index.ts'
import { checkSubscriptions } from '../../payment-history/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { visible } from '../command/layout.ts'
import { type CommandContext, withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { compareInbox, counting, inboxJson, inboxLines } from './check-inbox.ts'
import { differenceJson, differenceLine } from './difference-text.ts'

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

import { checkInbox, type StreamDifference } from '../../notifications/index.ts'
import type { Difference } from '../../payment-history/index.ts'
import { countValues } from '../../storage/index.ts'
import type { CliContext } from '../command/cli-context.ts'
import { visible } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import { createProgress } from '../command/progress.ts'
import { differenceJson, differenceLine, type Labels } from './difference-text.ts'

export async function compareInbox({ context, cli }: { context: CommandContext; cli: CliContext }): Promise<CheckedInbox> {
  const progress = await counting('notifications', ['notifications', 'subscription_id'], { context, cli })
  return checkInbox({ ...context, onNotification: progress.at }).finally(progress.end)
}

/** The progress of a work that goes through all values of a column. */
export async function counting(
  things: string,
  column: readonly [table: string, column: string],
  { context, cli }: { context: CommandContext; cli: CliContext },
): Promise<{ at: (count: number) => void; end: () => void }> {
  const total = Math.max(await countValues(context.storage.db, [column]), 1)
  const progress = createProgress(things, cli)
  return { at: (count) => progress.at(count, count / total), end: progress.end }
}

type CheckedInbox = Awaited<ReturnType<typeof checkInbox>>

export function inboxLines({ notifications, streams, skipped, differences }: CheckedInbox, names: Labels): string[] {
  const counts = `compared with ${notifications} notifications: streams ${streams}, differences ${differences.length}`
  const lines = differences.map((difference) =>
    'says' in difference
      ? `stream ${difference.source}: ${difference.ref}: ${difference.says}`
      : differenceLine(difference, names, 'notifications'),
  )
  return [...lines.map(visible), skipped === 0 ? counts : `${counts}, not compared since nothing was kept ${skipped}`]
}

export function inboxJson({ notifications, streams, skipped, differences }: CheckedInbox, names: Labels) {
  const json = (one: StreamDifference | Difference) =>
    'says' in one ? { stream_id: one.streamId, source: one.source, ref: one.ref, says: one.says } : differenceJson(one, names)
  return { notifications, streams, not_compared: skipped, differences: differences.map(json) }
}

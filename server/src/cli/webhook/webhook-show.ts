import type { Command } from 'commander'
import { notificationAttemptJson, notificationDetailsJson, payloadOf } from '../../admin/index.ts'
import {
  AWAITS_PURCHASE,
  JOB_REMOVED,
  listAttempts,
  type Notification,
  notificationStore,
  type ShownAttempt,
  withShownReason,
} from '../../notifications/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { fields, paragraphs } from '../command/layout.ts'
import type { LocalTime } from '../command/local-time.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { NO_SUCH_NOTIFICATION, pendingTexts } from '../sentences/notification-sentences.ts'
import { amountsText, whyText } from './why-text.ts'

export function addShow(webhook: Command, cli: CliContext): void {
  addVerb(webhook, 'show', { summary: 'show one notification, with what was sent', example: 'webhook show 0199c2b4-…' })
    .argument('<id>', "the notification's id, as `webhook list` shows it")
    .action((id: string, options: { json?: boolean }) => cli.onDatabase(options, (context) => show(id, context)))
}

async function show(id: string, { storage, localTime }: CommandContext): Promise<Outcome> {
  const stored = await notificationStore(storage.db).findById(id)
  if (!stored) return { complaint: NO_SUCH_NOTIFICATION }
  const found = await withShownReason(storage.db, stored)
  const { source, event, status, why, subject, subscriptionId, receivedAt, processedAt, mismatch } = found
  const payload = payloadOf(found.payload)
  const attempts = await listAttempts(storage.db, found)
  const text = fields([
    ['id', id],
    ['source', source],
    ['event', event],
    ['status', status],
    ['why', why && whyText(status, why)],
    ['subject', subject],
    ['amount', mismatch && amountsText(mismatch)],
    ['subscription', subscriptionId],
    ['received', localTime(receivedAt)],
    ['processed', localTime(processedAt)],
    ['attempts', attempts.map((attempt) => attemptText(attempt, localTime))],
    ['payload', JSON.stringify(payload, undefined, 2).split('\n')],
  ])
  return {
    json: { ...notificationDetailsJson(found), attempts: attempts.map(notificationAttemptJson) },
    text: paragraphs(text, nextStep(found)),
  }
}

/** When it was, what came of it, how long it took, who wanted it. */
function attemptText({ kind, at, ms, outcome, why, actor }: ShownAttempt, localTime: LocalTime): string {
  const result = why === undefined ? (outcome ?? 'not kept') : `${outcome}: ${why.replaceAll('_', ' ')}`
  return [localTime(at), kind, result, ms === undefined ? undefined : `${ms} ms`, actor].filter((part) => part !== undefined).join('  ')
}

function nextStep({ id, status, why }: Notification): string | undefined {
  if (status === 'failed')
    return why === JOB_REMOVED
      ? `The job that was to ask its gateway was dropped. To have it asked:  portaria webhook reprocess ${id}`
      : `Asking its gateway was given up. Fix the cause, then have it asked again:  portaria webhook reprocess ${id}`
  if (why === AWAITS_PURCHASE) return 'It is kept: it counts once the purchase that it is about is known here. Nothing is to be done.'
  if (status === 'ignored' && (why === 'unknown_payment' || why === 'duplicate')) return `Nothing is to be done: ${pendingTexts[why]}.`
  if (status === 'refused')
    return 'Its signature was right and its form was not: its sender received 400, and has to send it again. See docs/purchases.md for the fields.'
  if (status !== 'unresolved') return undefined
  if (why === 'awaiting_gateway') return `It waits: ${pendingTexts[why]}.`
  const known = '[--plan SLUG] [--product SLUG] [--email ADDRESS]'
  return `It waits. Say what is known:  portaria webhook resolve ${id} ${known}\nOr make the plan that it names, then:  portaria webhook reprocess ${id}`
}

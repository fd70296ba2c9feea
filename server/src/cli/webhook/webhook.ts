import type { Command } from 'commander'
import { notificationAttemptJson, notificationDetailsJson, notificationJson, payloadOf } from '../../admin/index.ts'
import { normaliseEmail } from '../../kit/index.ts'
import {
  JOB_REMOVED,
  listAttempts,
  NOTIFICATION_STATUSES,
  type Notification,
  type NotificationFilter,
  type NotificationStatus,
  notificationListStore,
  notificationStore,
  type ShownAttempt,
} from '../../notifications/index.ts'
import type { AmountMismatch } from '../../payment-history/index.ts'
import { productStore } from '../../products/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { oneOf, parsedBy, parseSince, type Since } from '../command/input.ts'
import { fields, paragraphs } from '../command/layout.ts'
import type { LocalTime } from '../command/local-time.ts'
import { reais } from '../command/money.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, listed, type PageOptions, pageOf } from '../command/paging.ts'
import { NO_SUCH_NOTIFICATION, pendingTexts } from '../sentences/notification-sentences.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { addReprocess, addResolve } from './webhook-resolve.ts'
import { addRuns } from './webhook-runs.ts'
import { addSign } from './webhook-sign.ts'
import { addTest } from './webhook-test.ts'

interface ListOptions extends PageOptions {
  status?: NotificationStatus
  product?: string
  source?: string
  event?: string
  email?: string
  since?: Since
}

/** `portaria webhook …`: payment notifications, and the operator's actions on them. */
export function webhookCommands(program: Command, cli: CliContext): void {
  const webhook = program.command('webhook').description('notifications of payments: list them, resolve pending ones, test the webhook')
  addList(webhook, { summary: 'list received notifications, newest first', example: 'webhook list --status unresolved' })
    .option('--status <status>', `only these: ${NOTIFICATION_STATUSES.join(', ')}`, oneOf(NOTIFICATION_STATUSES))
    .option('--source <source>', "only from here: purchase, or a gateway's name")
    .option('--product <slug>', 'only deliveries to this product')
    .option('--event <event>', "only this, in the sender's words, as in purchase.completed")
    .option('--email <address>', "only of this buyer's address")
    .option(
      '--since <date>',
      'only received since then, as in 2026-11-30 (of the zone of the reports) or 2026-11-30T12:00:00Z',
      parsedBy(parseSince, 'a date, as in 2026-11-30'),
    )
    .action((options: ListOptions) => cli.onDatabase(options, (context) => list(options, context)))
  addVerb(webhook, 'show', { summary: 'show one notification, with what was sent', example: 'webhook show 0199c2b4-…' })
    .argument('<id>', "the notification's id, as `webhook list` shows it")
    .action((id: string, options: { json?: boolean }) => cli.onDatabase(options, (context) => show(id, context)))
  addResolve(webhook, cli)
  addReprocess(webhook, cli)
  addRuns(webhook, cli)
  addTest(webhook, cli)
  addSign(webhook, cli)
}

async function list(options: ListOptions, { storage, zone, localTime }: CommandContext): Promise<Outcome> {
  const product = options.product === undefined ? undefined : await productStore(storage.db).findBySlug(options.product)
  if (options.product !== undefined && !product) return { complaint: productSentence({ refusal: 'not_found' }) }
  const ofProduct = product && { productId: product.id }
  const found = await notificationStore(storage.db).list({ ...pageOf(options), ...filterOf(options, zone), ...ofProduct })
  return listed(found, options, {
    nothing: 'No such notifications.',
    headings: ['id', 'received', 'source', 'event', 'status', 'why', 'subject', 'amount'],
    row: ({ id, receivedAt, source, event, status, why = '', subject = '', mismatch }) => [
      id,
      localTime(receivedAt),
      source,
      event,
      status,
      whyText(status, why),
      subject,
      mismatch ? amounts(mismatch) : '',
    ],
    json: notificationJson,
  })
}

function filterOf({ status, source, event, email, since }: ListOptions, zone: string): NotificationFilter {
  return {
    ...(status !== undefined && { status }),
    ...(source !== undefined && { source }),
    ...(event !== undefined && { event }),
    ...(email !== undefined && { subject: normaliseEmail(email) ?? email.trim() }),
    ...(since && { since: since(zone) }),
  }
}

async function show(id: string, { storage, localTime }: CommandContext): Promise<Outcome> {
  const found = await notificationStore(storage.db).findById(id)
  if (!found) return { complaint: NO_SUCH_NOTIFICATION }
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
    ['amount', mismatch && amounts(mismatch)],
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

/** Only differences are shown. */
function amounts({ paid, price }: AmountMismatch): string {
  return `${reais(paid)} paid, price ${reais(price)}`
}

/** Why it has its status. One ignored for its unknown payment is processed once that is known. */
function whyText(status: NotificationStatus, why: string): string {
  if (status === 'refused') return why // names of fields are kept as they are
  return status === 'ignored' && why === 'unknown_payment' ? 'until its payment is known' : why.replaceAll('_', ' ')
}

function nextStep({ id, status, why }: Notification): string | undefined {
  if (status === 'failed')
    return why === JOB_REMOVED
      ? `The job that was to ask its gateway was dropped. To have it asked:  portaria webhook reprocess ${id}`
      : `Asking its gateway was given up. Fix the cause, then have it asked again:  portaria webhook reprocess ${id}`
  if (status === 'ignored' && (why === 'unknown_payment' || why === 'duplicate')) return `Nothing is to be done: ${pendingTexts[why]}.`
  if (status === 'refused')
    return 'Its signature was right and its form was not: its sender received 400, and has to send it again. See docs/purchases.md for the fields.'
  if (status !== 'unresolved') return undefined
  if (why === 'awaiting_gateway') return `It waits: ${pendingTexts[why]}.`
  const known = '[--plan SLUG] [--product SLUG] [--email ADDRESS]'
  return `It waits. Say what is known:  portaria webhook resolve ${id} ${known}\nOr make the plan that it names, then:  portaria webhook reprocess ${id}`
}

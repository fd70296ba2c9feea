import type { Command } from 'commander'
import { notificationJson } from '../../admin/index.ts'
import { normaliseEmail } from '../../kit/index.ts'
import {
  NOTIFICATION_STATUSES,
  type NotificationFilter,
  type NotificationStatus,
  notificationListStore,
} from '../../notifications/index.ts'
import { productStore } from '../../products/index.ts'
import type { CliContext } from '../command/cli-context.ts'
import { oneOf, parsedBy, parseSince, type Since } from '../command/input.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, listed, type PageOptions, pageOf } from '../command/paging.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { amountsText, whyText } from './why-text.ts'

interface ListOptions extends PageOptions {
  status?: NotificationStatus
  product?: string
  source?: string
  event?: string
  email?: string
  since?: Since
}

export function addListing(webhook: Command, cli: CliContext): void {
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
}

async function list(options: ListOptions, { storage, zone, localTime }: CommandContext): Promise<Outcome> {
  const product = options.product === undefined ? undefined : await productStore(storage.db).findBySlug(options.product)
  if (options.product !== undefined && !product) return { complaint: productSentence({ refusal: 'not_found' }) }
  const ofProduct = product && { productId: product.id }
  const found = await notificationListStore(storage.db).list({ ...pageOf(options), ...filterOf(options, zone), ...ofProduct })
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
      mismatch ? amountsText(mismatch) : '',
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

import type { Command } from 'commander'
import type { AppContext } from '../../context.ts'
import {
  notificationStore,
  type Resolution,
  reprocessNotification,
  resolveNotification,
  type Unresolved,
} from '../../notifications/index.ts'
import { addVerb, type CliContext, OPERATOR, withContext } from '../command/cli-context.ts'
import { fields, type Outcome, paragraphs } from '../command/output.ts'
import { pendingTexts, resolveSentence } from '../command/refusals.ts'

interface ResolveOptions {
  json?: boolean
  plan?: string
  product?: string
  email?: string
  ignore?: boolean
  reason?: string
}

const ID = "the notification's id, as `webhook list --status unresolved` shows it"

export function addResolve(webhook: Command, cli: CliContext): void {
  addVerb(webhook, 'resolve', {
    summary: 'resolve a pending notification with what you know about it',
    example: 'webhook resolve 0199c2b4-… --plan easy-pro',
  })
    .argument('<id>', ID)
    .option('--plan <slug>', 'the plan that was bought')
    .option('--product <slug>', 'the product that it was bought for')
    .option('--email <address>', "the buyer's address")
    .option('--ignore', 'ignore it for good; needs --reason')
    .option('--reason <text>', 'for the audit log')
    .action((id: string, options: ResolveOptions) => cli.print(options, resolve(id, options, cli)))
}

async function resolve(id: string, options: ResolveOptions, cli: CliContext): Promise<Outcome> {
  const resolution = readResolution(options)
  if ('misuse' in resolution) return resolution
  return withContext(cli, async (context) => {
    const processed = await resolveNotification(id, resolution, { ...context, actor: OPERATOR })
    if ('refusal' in processed) return { complaint: resolveSentence(processed) }
    if ('ignored' in processed) return { json: { id, status: 'ignored' }, text: 'Ignored: nothing follows from it.' }
    const { subscriptionId } = processed
    return {
      json: { id, status: 'processed', subscription_id: subscriptionId },
      text: `Processed: it counts for subscription ${subscriptionId}.`,
    }
  })
}

function readResolution({ plan, product, email, ignore, reason: given }: ResolveOptions): Resolution | { misuse: string } {
  const reason = given?.trim() || undefined
  const knows = [plan, product, email].some((value) => value !== undefined)
  if (ignore) {
    if (knows) return { misuse: 'either --ignore, or what is known: --plan, --product, --email' }
    return reason === undefined ? { misuse: 'say why with --reason: it stands in the audit log' } : { ignore: true, reason }
  }
  if (!knows)
    return {
      misuse:
        'say what is known, with --plan, --product or --email; or --ignore it. To try it again as it is: `portaria webhook reprocess ID`',
    }
  return {
    ...(plan !== undefined && { planSlug: plan }),
    ...(product !== undefined && { productSlug: product }),
    ...(email !== undefined && { email }),
    reason,
  }
}

interface ReprocessOptions {
  json?: boolean
  all?: boolean
}

export function addReprocess(webhook: Command, cli: CliContext): void {
  addVerb(webhook, 'reprocess', {
    summary: 'try notifications that wait again, as after a plan was made',
    example: 'webhook reprocess --all',
  })
    .argument('[id]', ID)
    .option('--all', 'every pending notification')
    .action((id: string | undefined, options: ReprocessOptions) => cli.print(options, reprocess(id, options, cli)))
}

async function reprocess(id: string | undefined, { all = false }: ReprocessOptions, cli: CliContext): Promise<Outcome> {
  if ((id === undefined) !== all)
    return { misuse: 'name one notification by its id, or all that wait with --all: see `portaria webhook list --status unresolved`' }
  return withContext(cli, async (context) => {
    if (id === undefined) return reprocessAll(context)
    const processed = await reprocessNotification(id, { ...context, actor: OPERATOR })
    if ('refusal' in processed) return { complaint: resolveSentence(processed) }
    const { subscriptionId } = processed
    return {
      json: { id, status: 'processed', subscription_id: subscriptionId },
      text: `Processed: it counts for subscription ${subscriptionId}.`,
    }
  })
}

/** Payloads are up to 256 KiB each. */
const PAGE = 100

async function reprocessAll(context: AppContext): Promise<Outcome> {
  let processed = 0
  const pending = new Map<Unresolved, number>()
  const notifications = notificationStore(context.storage.db)
  for (let cursor: string | undefined; ; ) {
    const page = await notifications.list({ status: 'unresolved', limit: PAGE, ...(cursor !== undefined && { cursor }) })
    for (const { id } of page) {
      const outcome = await reprocessNotification(id, { ...context, actor: OPERATOR })
      if (!('refusal' in outcome)) processed++
      else if (outcome.refusal === 'still_unresolved') pending.set(outcome.why, (pending.get(outcome.why) ?? 0) + 1)
    }
    cursor = page.at(-1)?.id
    if (cursor === undefined || page.length < PAGE) break
  }
  return reprocessed(processed, pending)
}

function reprocessed(processed: number, pending: ReadonlyMap<Unresolved, number>): Outcome {
  const count = [...pending.values()].reduce((sum, one) => sum + one, 0)
  const json = { processed, pending: count, why: Object.fromEntries(pending) }
  if (processed + count === 0) return { json, text: 'None waits.' }
  const reasons = [...pending].map(([why, times]) => `${times}: ${pendingTexts[why]}`)
  const text = fields([
    ['processed', String(processed)],
    ['still pending', String(count)],
    ['because', reasons],
  ])
  const hint =
    count === 0
      ? undefined
      : 'See which: `portaria webhook list --status unresolved`; resolve one: `portaria webhook resolve ID --plan SLUG`'
  return { json, text: paragraphs(text, hint) }
}

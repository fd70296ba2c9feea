import type { Command } from 'commander'
import { type Resolution, reprocessNotification, resolveNotification } from '../../notifications/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { parsedBy, parseSince, type Since } from '../command/input.ts'
import { withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { resolveSentence } from '../sentences/notification-sentences.ts'
import { reprocessSince } from './webhook-runs.ts'

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
  since?: Since
  count?: boolean
}

export function addReprocess(webhook: Command, cli: CliContext): void {
  addVerb(webhook, 'reprocess', {
    summary: 'try again what waits, as after a plan was made, and what failed: gateways are asked again',
    example: 'webhook reprocess --since 2026-11-30T10:00:00Z',
  })
    .argument('[id]', ID)
    .option(
      '--since <date>',
      'everything that waits or failed and was received since then',
      parsedBy(parseSince, 'a date, as in 2026-11-30'),
    )
    .option('--all', 'everything that waits or failed')
    .option('--count', 'with --since or --all: only say how many there are')
    .action((id: string | undefined, options: ReprocessOptions) => cli.print(options, reprocess(id, options, cli)))
}

async function reprocess(
  id: string | undefined,
  { all = false, since, count = false }: ReprocessOptions,
  cli: CliContext,
): Promise<Outcome> {
  if ([id !== undefined, all, since !== undefined].filter(Boolean).length !== 1)
    return {
      misuse:
        'name one notification by its id, or a time with --since, or all that wait with --all: see `portaria webhook list --status unresolved`',
    }
  return withContext(cli, async (context) => {
    if (id === undefined) return reprocessSince(since?.(context.zone) ?? 0, { count }, context, cli)
    const processed = await reprocessNotification(id, { ...context, actor: OPERATOR })
    if ('refusal' in processed) return { complaint: resolveSentence(processed) }
    if ('asked' in processed) {
      const text = `The running service asks its gateway again. See what comes of it: \`portaria webhook show ${id}\``
      return { json: { id, status: 'unresolved', why: 'awaiting_gateway' }, text }
    }
    const { subscriptionId } = processed
    return {
      json: { id, status: 'processed', subscription_id: subscriptionId },
      text: `Processed: it counts for subscription ${subscriptionId}.`,
    }
  })
}

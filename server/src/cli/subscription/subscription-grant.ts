import type { Command } from 'commander'
import { type GrantRefusal, grantSubscription, parseGrantEnd } from '../../payment-history/index.ts'
import { productStore } from '../../products/index.ts'
import { OPERATOR_SCOPE, planStore } from '../../subscriptions/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { parsedBy } from '../command/input.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { userSentence } from '../sentences/user-sentences.ts'

interface GrantOptions {
  json?: boolean
  user: string
  plan: string
  product?: string
  until?: number
  reason: string
}

const moment = parsedBy(parseGrantEnd, 'a date like 2027-01-31, which counts in full, or a time like 2027-01-31T18:00:00-03:00')

/** `subscription grant`: a plan without a payment. */
export function addGrant(subscription: Command, cli: CliContext, show: (id: string, context: CommandContext) => Promise<Outcome>): void {
  const example = 'subscription grant --user ana@example.com --plan easy-pro --until 2027-01-31 --reason "partner"'
  addVerb(subscription, 'grant', { summary: 'give a user a plan that nobody paid for: a courtesy, a trial, staff', example })
    .requiredOption('--user <user>', 'the account, by email address or id')
    .requiredOption('--plan <slug>', "the operator's plan; with --product that product's own of this name, if it has one")
    .option('--product <slug>', 'the product that it gives access to')
    .option('--until <time>', 'the end, without grace; a day counts in full (default: until it is ended)', moment)
    .requiredOption('--reason <text>', 'for the audit log')
    .action((options: GrantOptions) => cli.onDatabase(options, (context) => grant(options, context, show)))
}

async function grant(
  { user, plan: slug, product: productSlug, until, reason }: GrantOptions,
  context: CommandContext,
  show: (id: string, context: CommandContext) => Promise<Outcome>,
): Promise<Outcome> {
  const { storage } = context
  const product = productSlug === undefined ? undefined : await productStore(storage.db).findBySlug(productSlug)
  if (productSlug !== undefined && !product) return { complaint: productSentence({ refusal: 'not_found' }) }
  const { plans } = await planStore(storage.db).findBySlug(slug, product?.id)
  const plan = plans.find(({ scope }) => scope === product?.id) ?? plans.find(({ scope }) => scope === OPERATOR_SCOPE)
  if (!plan) return { complaint: sentences.no_such_plan }
  const deps = { ...context, actor: OPERATOR }
  const granted = await grantSubscription({ to: user, planId: plan.id, productId: product?.id, until, reason }, deps)
  return 'refusal' in granted ? { complaint: sentences[granted.refusal] } : show(granted.id, context)
}

const sentences = {
  no_such_user: userSentence({ refusal: 'not_found' }),
  no_such_plan: "there is no such plan: see `portaria plan list`; a product's own plan needs --product",
  until_over: 'the end must be in the future',
} as const satisfies Record<GrantRefusal['refusal'], string>

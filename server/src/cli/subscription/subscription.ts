import type { Command } from 'commander'
import { amountJson, findPayments, findUser, historyJson, readNames, subscriptionJson } from '../../admin/index.ts'
import { normaliseEmail } from '../../kit/index.ts'
import { endSubscription, findHistory, hashEmail, refundSubscription } from '../../payment-history/index.ts'
import { productStore } from '../../products/index.ts'
import {
  type ChangeSubscriptionDeps,
  moveSubscription,
  SUBSCRIPTION_STATES,
  type Subscription,
  type SubscriptionFilter,
  type SubscriptionLink,
  type SubscriptionRefusal,
  type SubscriptionState,
  subscriptionStore,
  unlinkSubscription,
} from '../../subscriptions/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { oneOf } from '../command/input.ts'
import { paragraphs } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, moreHint, type PageOptions, pageOf } from '../command/paging.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { subscriptionSentence } from '../sentences/subscription-sentences.ts'
import { userSentence } from '../sentences/user-sentences.ts'
import { addGrant } from './subscription-grant.ts'
import { addRebuild } from './subscription-rebuild.ts'
import { historyFields, subscriptionTable } from './subscription-view.ts'

/** `portaria subscription …`: users' purchases, and the operator's changes of them. */
export function subscriptionCommands(program: Command, cli: CliContext): void {
  const subscription = program
    .command('subscription')
    .alias('subscriptions')
    .description('subscriptions: purchases of users, and their access')
  addReading(subscription, cli)
  addGrant(subscription, cli, show)
  addRebuild(subscription, cli)
  addAction(subscription, cli, 'end', 'end it from this moment, whatever is paid', (id, { reason }, deps) =>
    endSubscription(id, reason, deps),
  )
  addAction(subscription, cli, 'refund', 'record that its payment was given back; moves no money', (id, { reason }, deps) =>
    refundSubscription(id, reason, deps),
  )
  addAction(subscription, cli, 'unlink', "remove it from its account and from the product's user", unlink)
    .option('--account', 'only from its account; its address does not link it again')
    .option('--product-user', "only from the product's user; the product's next check may link it again")
  addAction(subscription, cli, 'move', 'link it to another account', (id, { to = '', reason }, deps) =>
    moveSubscription(id, { to, reason }, deps),
  ).requiredOption('--to <user>', 'the account, by email address or id')
}

interface ListOptions extends PageOptions {
  user?: string
  email?: string
  product?: string
  state?: SubscriptionState
}

function addReading(subscription: Command, cli: CliContext): void {
  addList(subscription, { summary: 'list subscriptions, newest first', example: 'subscription list --user ana@example.com' })
    .option('--user <user>', 'only those of this account, by email address or id')
    .option('--email <address>', 'only purchases with this address, even if its account is deleted')
    .option('--product <slug>', 'only those of this product')
    .option('--state <state>', `only those in this state: ${SUBSCRIPTION_STATES.join(', ')}`, oneOf(SUBSCRIPTION_STATES))
    .action((options: ListOptions) => cli.onDatabase(options, (context) => list(options, context)))
  addVerb(subscription, 'show <id>', {
    summary: 'show one: its state, why, and all its events',
    example: 'subscription show 019f0c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f',
  }).action((id: string, options: { json?: boolean }) => cli.onDatabase(options, (context) => show(id, context)))
}

async function list(options: ListOptions, context: CommandContext): Promise<Outcome> {
  const filter = await filterOf(options, context)
  if ('complaint' in filter) return filter
  const found = await subscriptionStore(context.storage.db).list({ ...pageOf(options), ...filter })
  const [names, at] = [await readNames(context), context.now()]
  const payments = await findPayments(context.storage.db, found, at)
  return {
    json: found.map((one) => ({ ...subscriptionJson(one, names, at), ...amountJson(payments.get(one.id)) })),
    text: paragraphs(subscriptionTable(found, { names, payments, now: at }), moreHint(found, options)),
  }
}

async function filterOf(
  { user, email, product, state }: ListOptions,
  { storage, masterKeys }: CommandContext,
): Promise<SubscriptionFilter | { complaint: string }> {
  const account = user === undefined ? undefined : await findUser(storage.db, user)
  if (user !== undefined && !account) return { complaint: userSentence({ refusal: 'not_found' }) }
  const address = email === undefined ? undefined : normaliseEmail(email)
  if (email !== undefined && address === undefined) return { complaint: userSentence({ refusal: 'email_malformed' }) }
  const wanted = product === undefined ? undefined : await productStore(storage.db).findBySlug(product)
  if (product !== undefined && !wanted) return { complaint: productSentence({ refusal: 'not_found' }) }
  return {
    ...(account && { userId: account.id }),
    ...(address !== undefined && { email: address, emailHash: hashEmail(address, masterKeys.emailIndex) }),
    ...(wanted && { productId: wanted.id }),
    ...(state && { state }),
  }
}

async function show(id: string, context: CommandContext): Promise<Outcome> {
  const history = await findHistory(context.storage.db, id)
  if (!history) return { complaint: subscriptionSentence({ refusal: 'not_found' }) }
  const names = await readNames(context)
  return {
    json: historyJson(history, names, context.now()),
    text: historyFields(history, names, { now: context.now(), localTime: context.localTime }),
  }
}

interface ActionOptions {
  json?: boolean
  reason: string
  to?: string
  account?: boolean
  productUser?: boolean
}

type Action = (id: string, options: ActionOptions, deps: ChangeSubscriptionDeps) => Promise<Subscription | SubscriptionRefusal>

function unlink(id: string, { account, productUser, reason }: ActionOptions, deps: ChangeSubscriptionDeps): ReturnType<Action> {
  const asked = [...(account ? ['account' as const] : []), ...(productUser ? ['product_user' as const] : [])]
  const links: SubscriptionLink[] = asked.length === 0 ? ['account', 'product_user'] : asked
  return unlinkSubscription(id, { links, reason }, deps)
}

function addAction(subscription: Command, cli: CliContext, name: string, summary: string, action: Action): Command {
  const options = name === 'move' ? '--to bia@example.com --reason "bought with her work address"' : '--reason "asked by phone"'
  return addVerb(subscription, `${name} <id>`, { summary, example: `subscription ${name} 019f0c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f ${options}` })
    .requiredOption('--reason <text>', 'for the audit log')
    .action((id: string, given: ActionOptions) =>
      cli.onDatabase(given, async (context) => {
        const done = await action(id, given, { ...context, actor: OPERATOR })
        return 'refusal' in done ? { complaint: subscriptionSentence(done) } : show(done.id, context)
      }),
    )
}

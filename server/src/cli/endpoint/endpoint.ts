import type { Command } from 'commander'
import { attemptJson, endpointJson, readSlugs } from '../../admin/index.ts'
import { type Endpoint, EVENT_TYPES, type EventType, endpointState, endpointStore, PRODUCT_EVENT_TYPES } from '../../app-events/index.ts'
import {
  changeEndpoint,
  createEndpoint,
  DELIVERY_MS,
  disableEndpoint,
  enableEndpoint,
  hasArrived,
  removeEndpoint,
  rotateEndpointSecret,
  testEndpoint,
} from '../../event-delivery/index.ts'
import { createGuardedFetch } from '../../guarded-fetch/index.ts'
import { isoTime } from '../../kit/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { collect, oneOf } from '../command/input.ts'
import { fields, paragraphs } from '../command/layout.ts'
import { type CommandContext, withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, listed, type PageOptions, pageFrom } from '../command/paging.ts'
import { endpointSentence } from '../sentences/endpoint-sentences.ts'

interface AddOptions {
  json?: boolean
  product?: string
  type?: EventType[]
  description?: string
}

interface SetOptions extends Omit<AddOptions, 'product'> {
  url?: string
}

const WHICH = "the endpoint's id, as `endpoint list` shows it"

/** `portaria endpoint …`: where events are delivered to. */
export function endpointCommands(program: Command, cli: CliContext): void {
  const endpoint = program.command('endpoint').description('where events are delivered to, signed as Standard Webhooks')
  const verb = (
    usage: string,
    help: { summary: string; example: string },
    work: (id: string, context: CommandContext) => Promise<Outcome>,
  ) =>
    addVerb(endpoint, usage, help)
      .argument('<id>', WHICH)
      .action((id: string, options: { json?: boolean }) => cli.onDatabase(options, (context) => work(id, context)))
  addVerb(endpoint, 'add', {
    summary: 'make an endpoint; its secret is shown this once',
    example: 'endpoint add https://academy.example.com/hooks/portaria --product academy',
  })
    .argument('<url>', 'https; in development http on a loopback host')
    .option('--product <slug>', "whose users' events it receives (default: every product's, for the operator)")
    .option(
      '--type <type>',
      `an event: ${EVENT_TYPES.join(', ')}; may be repeated (default: all that it may receive; endpoint.disabled is the operator's alone)`,
      collect(oneOf(EVENT_TYPES)),
    )
    .option('--description <text>', 'what it is for, as the list shows it')
    .action((url: string, options: AddOptions) => cli.onNewDatabase(options, (context) => add(url, options, context)))
  addVerb(endpoint, 'set', {
    summary: 'change an endpoint; what is not named stays, and so does its secret',
    example: 'endpoint set 0199c2b4-… --url https://academy.example.com/hooks/new',
  })
    .argument('<id>', WHICH)
    .option('--url <url>', 'https; in development http on a loopback host')
    .option('--type <type>', 'all its events, in place of those before; may be repeated', collect(oneOf(EVENT_TYPES)))
    .option('--description <text>', 'what it is for; empty: none')
    .action((id: string, options: SetOptions) => cli.print(options, set(id, options, cli)))
  addList(endpoint, { summary: 'list endpoints, oldest first', example: 'endpoint list' }).action((options: PageOptions) =>
    cli.onDatabase(options, (context) => list(options, context)),
  )
  verb('show', { summary: 'show an endpoint and its health', example: 'endpoint show 0199c2b4-…' }, show)
  verb(
    'rotate-secret',
    { summary: 'make a new secret; the one before signs for a day, too', example: 'endpoint rotate-secret 0199c2b4-…' },
    rotate,
  )
  verb('test', { summary: 'send a test event now; if it arrives, failures are forgotten', example: 'endpoint test 0199c2b4-…' }, test)
  verb('enable', { summary: 'deliver to it again', example: 'endpoint enable 0199c2b4-…' }, (id, context) =>
    change(enableEndpoint(id, { ...context, actor: OPERATOR }), context),
  )
  verb('disable', { summary: 'deliver nothing to it', example: 'endpoint disable 0199c2b4-…' }, (id, context) =>
    change(disableEndpoint(id, { ...context, actor: OPERATOR }), context),
  )
  verb('remove', { summary: 'remove it with everything that waits for it', example: 'endpoint remove 0199c2b4-…' }, remove)
}

async function add(url: string, { product, type: chosen, description = '' }: AddOptions, context: CommandContext): Promise<Outcome> {
  const deps = { ...context, actor: OPERATOR, isDevelopment: context.config.isDevelopment }
  const types = chosen ?? (product === undefined ? EVENT_TYPES : PRODUCT_EVENT_TYPES)
  const made = await createEndpoint({ productSlug: product, url, types, description }, deps)
  if ('refusal' in made) return { complaint: endpointSentence(made.refusal) }
  const shown = await shownEndpoint(made.endpoint, context)
  return {
    json: { ...shown.json, secret: made.secret },
    text: paragraphs(shown.text, `Secret, shown this once, keep it now:\n  ${made.secret}`),
  }
}

async function set(id: string, { url, type: types, description }: SetOptions, cli: CliContext): Promise<Outcome> {
  if (url === undefined && !types && description === undefined) return { misuse: 'name what is to change: --url, --type or --description' }
  const wanted = { ...(url !== undefined && { url }), ...(types && { types }), ...(description !== undefined && { description }) }
  return withContext(cli, async (context) => {
    const deps = { ...context, actor: OPERATOR, isDevelopment: context.config.isDevelopment }
    const changed = await changeEndpoint(id, wanted, deps)
    return 'refusal' in changed ? { complaint: endpointSentence(changed.refusal) } : shownEndpoint(changed, context)
  })
}

async function list(options: PageOptions, { storage }: CommandContext): Promise<Outcome> {
  const page = pageFrom(await endpointStore(storage.db).list(), ({ id }) => id, options)
  const slugs = await readSlugs(storage.db)
  const json = new Map<string, unknown>()
  for (const endpoint of page) json.set(endpoint.id, await endpointJson(endpoint, { db: storage.db, slugs }))
  return listed(page, options, {
    nothing: 'No endpoints: make one with `portaria endpoint add URL`.',
    headings: ['id', 'product', 'state', 'url', 'description'],
    row: (endpoint) => [endpoint.id, productOf(endpoint, slugs), endpointState(endpoint), endpoint.url, endpoint.description],
    json: ({ id }) => json.get(id),
  })
}

async function show(id: string, context: CommandContext): Promise<Outcome> {
  const endpoint = await endpointStore(context.storage.db).findById(id)
  return endpoint ? shownEndpoint(endpoint, context) : { complaint: endpointSentence('not_found') }
}

async function rotate(id: string, context: CommandContext): Promise<Outcome> {
  const made = await rotateEndpointSecret(id, { ...context, actor: OPERATOR })
  if ('refusal' in made) return { complaint: endpointSentence(made.refusal) }
  const until = made.previousUntil
  const text = `Secret, shown this once, keep it now:\n  ${made.secret}\n\nUntil ${context.localTime(until)} deliveries are signed with the secret before, too.`
  return { json: { id, secret: made.secret, previous_secret_until: isoTime(until) }, text }
}

async function change(done: ReturnType<typeof enableEndpoint>, context: CommandContext): Promise<Outcome> {
  const endpoint = await done
  return 'refusal' in endpoint ? { complaint: endpointSentence(endpoint.refusal) } : shownEndpoint(endpoint, context)
}

async function test(id: string, context: CommandContext): Promise<Outcome> {
  const { allowPrivate, isDevelopment } = context.config
  const guardedFetch = createGuardedFetch({ allowPrivate, isDevelopment, totalMs: DELIVERY_MS })
  const done = await testEndpoint(id, { ...context, guardedFetch, actor: OPERATOR })
  if ('refusal' in done) return { complaint: endpointSentence(done.refusal) }
  const { attempt, enabled } = done
  const json = { ...attemptJson(attempt), enabled }
  const answered = attempt.status === undefined ? `No answer: ${attempt.fault}.` : `It answered ${attempt.status} in ${attempt.ms} ms.`
  return { json, text: enabled ? `${answered} It is enabled again.` : answered, failed: !hasArrived(attempt) }
}

async function remove(id: string, context: CommandContext): Promise<Outcome> {
  const done = await removeEndpoint(id, { ...context, actor: OPERATOR })
  if ('refusal' in done) return { complaint: endpointSentence(done.refusal) }
  return { json: { id, deleted: true }, text: 'Removed: nothing is delivered there any more.' }
}

async function shownEndpoint(endpoint: Endpoint, { storage, localTime }: CommandContext): Promise<{ json: object; text: string }> {
  const slugs = await readSlugs(storage.db)
  const json = await endpointJson(endpoint, { db: storage.db, slugs })
  const text = fields([
    ['id', endpoint.id],
    ['product', productOf(endpoint, slugs)],
    ['url', endpoint.url],
    ['events', endpoint.types],
    ['description', endpoint.description || undefined],
    ['state', endpointState(endpoint)],
    ['failing since', localTime(endpoint.failingSince)],
    ['will be disabled', json.disables_at === null ? undefined : localTime(Date.parse(json.disables_at))],
    ['last success', json.last_success_at ?? undefined],
    ['waiting', json.waiting === 0 ? undefined : String(json.waiting)],
    ['disabled', endpoint.disabledAt === undefined ? undefined : `${localTime(endpoint.disabledAt)} (${endpoint.disabledReason})`],
  ])
  return { json, text }
}

function productOf({ productId }: Endpoint, slugs: ReadonlyMap<string, string>): string {
  return productId === undefined ? "every product's" : (slugs.get(productId) ?? productId)
}

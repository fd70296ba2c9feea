import type { KoaContextWithOIDC } from 'oidc-provider'
import { type LiveSession, sessionStore, takeProductSession } from '../../sessions/index.ts'
import { isDatabaseAway } from '../../storage/index.ts'
import { isConsentOurs } from '../authorization/added-consent.ts'
import { findPendingStep, type PendingStep } from '../authorization/authorization-state.ts'
import { noteGivenAccess } from '../client-documents/described-client-store.ts'
import { type Client, findClient } from '../client-documents/find-client.ts'
import { countForClient, sessionLimit } from '../client-limits.ts'
import type { OpenIdDeps } from '../deps.ts'
import { databaseAway } from './adapter.ts'
import { exchangeOf } from './exchange.ts'
import type { Library } from './library.ts'

/** Each step is one prompt of the library's policy, so that `prompt=none` is refused with the step's own error (Core §3.1.2.6). */
export function createPolicy(library: Library, deps: OpenIdDeps) {
  const { Prompt, Check } = library.interactionPolicy
  const step = (name: string, error: string, isPending: (pending: PendingStep) => boolean) => {
    const check = new Check(`${name}_pending`, 'the user has to do something first', error, async (ctx) =>
      isPending(await asOAuth(() => pendingStep(ctx, library, deps), library.errors)),
    )
    const prompt = new Prompt({ name, requestable: true }, check)
    // Whether a prompt was answered is decided by our own check.
    prompt.checks.remove(`${name}_prompt`)
    return prompt
  }
  return [
    step('login', 'login_required', (pending) => pending === 'login'),
    step('consent', 'consent_required', (pending) => pending === 'consent'),
    step('select_account', 'interaction_required', (pending) => pending === 'profile' || pending === 'native'),
    step('create', 'interaction_required', () => false),
  ]
}

/** The client's session as its grant, begun here if everything that stands before it is done. */
export async function loadGrant(ctx: KoaContextWithOIDC, library: Library, deps: OpenIdDeps) {
  const exchange = exchangeOf(ctx)
  const { browser, origin } = exchange
  const clientId = ctx.oidc.client?.clientId
  if (!browser || clientId === undefined || (await pendingStep(ctx, library, deps)) !== 'none') return undefined
  const { product, address } = await clientOf(clientId, deps)
  const child = { parent: browser.session, productId: product.id, clientId: address?.href, openIdSince: product.openid.since }
  await countBegun(child, library, deps)
  const session = await deps.storage.transaction(async (tx) => {
    if (address && (await noteGivenAccess(tx, address.href, deps.now())) === 'refused') return 'refused'
    return takeProductSession(tx, { ...child, origin }, deps.now())
  })
  if (session === 'refused') throw new library.errors.AccessDenied('the operator refuses this client')
  if (!session) {
    exchange.pending = 'login'
    return undefined
  }
  ctx.oidc.session?.sidFor(clientId, session.id)
  return ctx.oidc.provider.Grant.find(session.id)
}

/** A client that has a session keeps it, so a loop of sign-ins counts only where each ends the session before. */
async function countBegun(
  { parent, ...child }: { parent: LiveSession; productId: string; clientId: string | undefined; openIdSince: number },
  library: Library,
  deps: OpenIdDeps,
): Promise<void> {
  if (await sessionStore(deps.storage.db).findLiveChild({ parentId: parent.id, ...child }, deps.now())) return
  await countForClient(sessionLimit({ userId: parent.userId, productId: child.productId }), library, deps)
}

async function pendingStep(ctx: KoaContextWithOIDC, { errors }: Library, deps: OpenIdDeps): Promise<PendingStep> {
  const exchange = exchangeOf(ctx)
  const client = await clientOf(ctx.oidc.client?.clientId ?? '', deps)
  const prompts = new Set(ctx.oidc.prompts)
  if (isConsentOurs(ctx.oidc.params)) prompts.delete('consent')
  const asked = { params: ctx.oidc.params, prompts, entities: ctx.oidc.entities }
  exchange.pending ??= await findPendingStep(asked, { ...exchange, client }, { db: deps.storage.db, now: deps.now() })
  if (exchange.pending === 'other_user') throw new errors.LoginRequired('another user has signed in, or with fewer factors')
  return exchange.pending
}

export async function clientOf(clientId: string, deps: OpenIdDeps): Promise<Client> {
  const client = await findClient(clientId, deps)
  if (!client) throw new Error(`client ${clientId} is gone`)
  return client
}

/** A fault of the database, worded as OAuth has it. */
export async function asOAuth<T>(work: () => Promise<T>, errors: Library['errors']): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isDatabaseAway(error) ? databaseAway(errors) : error
  }
}

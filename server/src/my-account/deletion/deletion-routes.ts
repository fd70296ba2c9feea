import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import { clientAddress, formBody } from '../../http/index.ts'
import { DAY_MS, normaliseEmail } from '../../kit/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endSessionsOfUser } from '../../sessions/index.ts'
import {
  answerForm,
  answerGone,
  askToSignIn,
  createGuards,
  type GuardDeps,
  holdSignedInUser,
  type MailedLink,
  type SignedInUser,
} from '../../sign-in/index.ts'
import { userPurchaseStore } from '../../subscriptions/index.ts'
import { isLastOwner, mailLanguage, queueMail, requestDeletion, ticketUrl, type User, undoDeletion } from '../../users/index.ts'
import { type DeletionProblem, deletionPage, deletionRequestedPage, deletionUndonePage, undoDeletionPage } from './deletion-page.ts'
import { deletionFormSchema, requestDeletionSchema, undoDeletionPageSchema, undoDeletionSchema } from './deletion-schemas.ts'

export interface DeletionDeps extends GuardDeps {
  changes: ChangeFeed
  codeKey: Uint8Array
  outbox: Pick<Outbox, 'wake'>
}

const PAGE = '/account/delete'
const UNDO = '/undo-deletion'

/** A user's request for deletion, with a recent authentication, and the mailed link that undoes it for 7 days. */
export function deletionRoutes(scope: FastifyInstance, deps: DeletionDeps): void {
  const { mailedLink, requireRecentAuth } = createGuards(deps)
  scope.get(PAGE, { schema: deletionFormSchema }, requireRecentAuth(show))
  scope.post(PAGE, { schema: requestDeletionSchema }, requireRecentAuth(begin))
  scope.get(UNDO, { schema: undoDeletionPageSchema }, mailedLink('undo_deletion', showUndo))
  scope.post(UNDO, { schema: undoDeletionSchema }, mailedLink('undo_deletion', undo))
}

async function show(request: FastifyRequest, reply: FastifyReply, { user }: SignedInUser, deps: DeletionDeps): Promise<FastifyReply> {
  const { responses } = deps
  const shown = { email: user.email, goingOn: await listGoingOn(user, deps) }
  return responses.page(reply, 200, deletionPage(responses.pageContext(request, reply, PAGE), shown))
}

/** More are not listed: the advice is the same. */
const MAX_NAMED = 10

/** Subscriptions that may go on being charged: all that were not canceled, by any gateway. Nothing here can stop a payment. */
async function listGoingOn({ id }: User, { storage }: DeletionDeps): Promise<string[]> {
  const bought = await userPurchaseStore(storage.db).listGoingOn(id, MAX_NAMED)
  return bought.map(({ plan, product }) => [plan, product].filter((name) => name !== undefined).join(' · '))
}

const statuses = { mismatch: 400, last_owner: 409 } as const satisfies Record<DeletionProblem, number>

async function begin(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: DeletionDeps): Promise<FastifyReply> {
  const { user } = owner
  const typed = formBody(request)?.get('email') ?? ''
  const again = async (problem: DeletionProblem) => {
    const shown = { email: user.email, goingOn: await listGoingOn(user, deps), typed, problem }
    const page = deletionPage(deps.responses.pageContext(request, reply, PAGE), shown)
    return answerForm(request, reply, { status: statuses[problem], page, problem }, deps)
  }
  if (normaliseEmail(typed) !== user.email) return again('mismatch')
  const closed = await close(request, owner, deps)
  if (closed === 'last_owner') return again(closed)
  if (!closed) return askToSignIn(request, reply, deps)
  deps.outbox.wake()
  for (const cookie of deps.cookies.signedOut(request.headers.cookie)) reply.header('set-cookie', cookie)
  const context = deps.responses.pageContext(request, reply, '/login')
  return deps.responses.page(reply, 200, deletionRequestedPage(context, { email: user.email, dueAt: closed.dueAt }))
}

/**
 * Closes the account, ends its sessions and queues the mail, in one transaction. `undefined`: this browser's session has ended meanwhile.
 */
async function close(
  request: FastifyRequest,
  owner: SignedInUser,
  deps: DeletionDeps,
): Promise<{ dueAt: number } | 'last_owner' | undefined> {
  const { changes, now, sealer, codeKey, baseUrl } = deps
  const { user } = owner
  return changes.transaction(async (tx, announce) => {
    // The owners' rows first: of two owners who leave at once the second sees the first, and they can't deadlock.
    const isLast = await isLastOwner(tx, user.id)
    if (!(await holdSignedInUser(tx, owner, now))) return undefined
    if (isLast) return 'last_owner'
    const requested = await requestDeletion(tx, user, { now, ip: clientAddress(request), sealer, codeKey })
    if (!requested) return undefined
    await endSessionsOfUser(tx, user.id, 'deletion_requested', { announce, now })
    const { dueAt, secret } = requested
    const data = { name: user.name, dueAt, undoUrl: ticketUrl(baseUrl, UNDO, secret), days: Math.round((dueAt - now()) / DAY_MS) }
    await queueMail(tx, { to: user.email, kind: 'deletion_requested', data, language: mailLanguage(user) }, { sealer, at: now() })
    return { dueAt }
  })
}

async function showUndo(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, ticket }: MailedLink,
  { responses }: DeletionDeps,
): Promise<FastifyReply> {
  const context = responses.pageContext(request, reply, ownHref(UNDO, { ticket: secret }))
  return responses.page(reply, 200, undoDeletionPage(context, { ticket: secret, email: ticket.email }))
}

async function undo(request: FastifyRequest, reply: FastifyReply, { secret }: MailedLink, deps: DeletionDeps): Promise<FastifyReply> {
  const { changes, sealer, now, responses } = deps
  const user = await changes.transaction((tx, announce) => undoDeletion(tx, secret, { sealer, now, announce, ip: clientAddress(request) }))
  if (!user) return answerGone(request, reply, 'undo_deletion', deps)
  return responses.page(reply, 200, deletionUndonePage(responses.pageContext(request, reply, '/login'), { email: user.email }))
}

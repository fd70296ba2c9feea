import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody, networkOf } from '../../http/index.ts'
import { normaliseEmail, sha256Hex } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { answerForm, askToSignIn, countMail, holdSignedInUser, type SignedInUser } from '../../sign-in/index.ts'
import { beginEmailChange, queueMail, ticketUrl, type User, userStore } from '../../users/index.ts'
import { changeEmailPage, emailChangeSentPage } from './change-email-page.ts'
import type { CredentialsDeps } from './credentials-deps.ts'

/**
 * Changes of address that may begin in an hour: by an account, to an address (by any account), and from a network. The confirmation of the
 * account's own address has a count of its own, since it asks for less.
 */
const MOST = { account: 3, address: 3, network: 20 } as const
/** The life of the mailed link for a change of address, as its mail says. */
const CHANGE_MINUTES = 60

export async function showEmail(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: CredentialsDeps,
): Promise<FastifyReply> {
  return answerEmail(request, reply, user, {}, deps)
}

type EmailForm = Omit<Parameters<typeof changeEmailPage>[1], 'current' | 'isVerified'>

function answerEmail(
  request: FastifyRequest,
  reply: FastifyReply,
  { email, emailVerifiedAt }: User,
  form: EmailForm,
  deps: CredentialsDeps,
  status = 200,
): FastifyReply {
  const shown = { current: email, isVerified: emailVerifiedAt !== undefined, ...form }
  const page = changeEmailPage(deps.responses.pageContext(request, reply, '/account/email'), shown)
  return answerForm(request, reply, { status, page, problem: form.problem }, deps)
}

export async function beginEmail(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  deps: CredentialsDeps,
): Promise<FastifyReply> {
  const { user } = owner
  const email = formBody(request)?.get('email') ?? ''
  const refuse = (emailError: EmailForm['emailError']) => answerEmail(request, reply, user, { email, emailError }, deps, 400)
  const normal = normaliseEmail(email)
  if (normal === undefined) return refuse(email.trim() === '' ? 'required' : 'invalid')
  if (normal === user.email && user.emailVerifiedAt !== undefined) return refuse('same')
  return mailLink(request, reply, owner, { typed: email, email: normal }, deps)
}

/**
 * Mails the link that verifies the account's own address. A session is enough to ask for it, since the mailbox alone can answer and nothing
 * of the account changes.
 */
export async function beginConfirmation(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  deps: CredentialsDeps,
): Promise<FastifyReply> {
  const { email, emailVerifiedAt } = owner.user
  if (emailVerifiedAt !== undefined) return deps.responses.redirect(reply, ownHref('/account'))
  return mailLink(request, reply, owner, { email }, deps)
}

/** Mails the link to an address in its normal form, and says so; the form again, with what was typed, after too many. */
async function mailLink(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  { email, typed }: { email: string; typed?: string },
  deps: CredentialsDeps,
): Promise<FastifyReply> {
  const { user } = owner
  const { storage, sealer, codeKey, baseUrl, now, responses } = deps
  const isOwn = email === user.email
  const counters = [
    { key: `${isOwn ? 'confirm-email' : 'change-email'}:account:${user.id}`, most: MOST.account },
    { key: `change-email:network:${networkOf(clientAddress(request))}`, most: MOST.network },
    { key: `change-email:address:${sha256Hex(email)}`, most: MOST.address },
  ]
  const tooMany = await countMail(reply, counters, deps)
  if (tooMany) return answerEmail(request, reply, user, { email: typed, problem: 'too_many_attempts', ...tooMany }, deps, 429)
  const context = responses.pageContext(request, reply, '/account/email')
  const isBegun = await storage.transaction(async (tx) => {
    if (!(await holdSignedInUser(tx, owner, now))) return false
    // The account may have another address by now. A session alone changes none.
    if (isOwn && (await userStore(tx).findById(user.id))?.email !== email) return false
    const minted = await beginEmailChange(tx, user, email, { sealer, codeKey, at: now() })
    const url = ticketUrl(baseUrl, '/confirm-email', minted.secret)
    const data = { name: user.name, url, minutes: CHANGE_MINUTES, ...(isOwn && { isPresent: true as const }) }
    await queueMail(tx, { to: email, kind: 'confirm_new_address', data, language: context.language }, { sealer, at: now() })
    return true
  })
  if (!isBegun) return askToSignIn(request, reply, deps)
  deps.outbox.wake()
  return responses.page(reply, 200, emailChangeSentPage(context, { email, isOwn }))
}

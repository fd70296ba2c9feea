import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody, networkOf } from '../../http/index.ts'
import { normaliseEmail, sha256Hex } from '../../kit/index.ts'
import { answerForm, askToSignIn, countMail, holdSignedInUser, type SignedInUser } from '../../sign-in/index.ts'
import { beginEmailChange, queueMail, ticketUrl, type User } from '../../users/index.ts'
import { changeEmailPage, emailChangeSentPage } from './change-email-page.ts'
import type { CredentialsDeps } from './credentials-deps.ts'

/** Changes of address that may begin in an hour: by an account, to an address (by any account), and from a network. */
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

type EmailForm = Omit<Parameters<typeof changeEmailPage>[1], 'current'>

function answerEmail(
  request: FastifyRequest,
  reply: FastifyReply,
  { email }: User,
  form: EmailForm,
  deps: CredentialsDeps,
  status = 200,
): FastifyReply {
  const page = changeEmailPage(deps.responses.pageContext(request, reply, '/account/email'), { current: email, ...form })
  return answerForm(request, reply, { status, page, problem: form.problem }, deps)
}

export async function beginEmail(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  deps: CredentialsDeps,
): Promise<FastifyReply> {
  const { user } = owner
  const { storage, sealer, codeKey, baseUrl, now, responses } = deps
  const email = formBody(request)?.get('email') ?? ''
  const again = (form: EmailForm, status: number) => answerEmail(request, reply, user, { email, ...form }, deps, status)
  const normal = normaliseEmail(email)
  if (normal === undefined) return again({ emailError: email.trim() === '' ? 'required' : 'invalid' }, 400)
  const counters = [
    { key: `change-email:account:${user.id}`, most: MOST.account },
    { key: `change-email:network:${networkOf(clientAddress(request))}`, most: MOST.network },
    { key: `change-email:address:${sha256Hex(normal)}`, most: MOST.address },
  ]
  const tooMany = await countMail(reply, counters, deps)
  if (tooMany) return again({ problem: 'too_many_attempts', ...tooMany }, 429)
  const context = responses.pageContext(request, reply, '/account/email')
  const isBegun = await storage.transaction(async (tx) => {
    if (!(await holdSignedInUser(tx, owner, now))) return false
    const minted = await beginEmailChange(tx, user, normal, { sealer, codeKey, at: now() })
    const data = {
      name: user.name,
      url: ticketUrl(baseUrl, '/confirm-email', minted.secret),
      minutes: CHANGE_MINUTES,
    }
    await queueMail(tx, { to: normal, kind: 'confirm_new_address', data, language: context.language }, { sealer, at: now() })
    return true
  })
  if (!isBegun) return askToSignIn(request, reply, deps)
  deps.outbox.wake()
  return responses.page(reply, 200, emailChangeSentPage(context, { email: normal }))
}

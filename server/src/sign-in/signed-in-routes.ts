import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Account,
  accountStore,
  holdProof,
  linkIdentity,
  mailLanguage,
  mintNotMeUrl,
  type Proof,
  queueMail,
} from '../accounts/index.ts'
import { clientAddress, ownHref } from '../http/index.ts'
import { providerStore } from '../identity-providers/index.ts'
import { HOUR_MS } from '../kit/index.ts'
import { mintSessionToken, sessionStore, startSession } from '../sessions/index.ts'
import { deviceWords } from './device.ts'
import type { Flow } from './flow.ts'
import { presentedSessions } from './presented-sessions.ts'
import type { SignInDeps } from './routes.ts'
import { pendingStep } from './visit.ts'

/** Mails about new browsers that an account's owner gets in an hour. */
const MOST_WARNINGS = 10

/**
 * The end of every way to sign in: a session begins, the browser gets its cookies, and the flow goes on to what is missing from the profile, or to the
 * splash. `undefined` when the proof no longer holds, or the account was closed meanwhile; then nothing was set.
 */
export async function answerSignedIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { account, proof, flow }: { account: Account; proof: Proof; flow: Flow },
  deps: SignInDeps,
): Promise<FastifyReply | undefined> {
  const { cookies, devices, flows, tokens, answers, baseUrl } = deps
  const { cookie } = request.headers
  const origin = { ip: clientAddress(request), userAgent: request.headers['user-agent'] ?? '' }
  // A person who signed in before has a language, also when their sessions are so old that none is kept.
  const isKnown = account.language !== undefined || (await sessionStore(deps.storage.db).hasAnyOf(account.id))
  const isNewDevice = isKnown && devices.deviceOf(cookies.readDevice(cookie), account.id) === undefined && (await mayTell(account, deps))
  const started = await startSession(
    { userId: account.id, proof },
    { boundSecret: cookies.readBound(cookie), presented: await presentedSessions(cookie, deps), origin },
    deps,
  )
  if (!started) return undefined
  await afterSignIn(account, { flow, proof, language: answers.pageContext(request, reply).language, isNewDevice, origin }, deps)
  reply.header('set-cookie', cookies.session(await mintSessionToken(started.session, { tokens, issuer: baseUrl })))
  if (started.boundSecret !== undefined) reply.header('set-cookie', cookies.bound(started.boundSecret))
  reply.header('set-cookie', cookies.device(devices.mint(account.id)))
  const signedIn: Flow = { ...flow, userId: account.id, ndaDeclined: false, waiting: undefined, pendingLink: undefined }
  const next = pendingStep({ flow: signedIn, account }) === 'done' ? '/auth/welcome' : '/complete-profile'
  return answers.redirect(reply, ownHref(next, { flow: flows.seal(signedIn) }))
}

/** Whoever knows the password could otherwise bury the one warning that matters under hundreds of others. */
async function mayTell({ id }: Account, { limits, now }: SignInDeps): Promise<boolean> {
  return (await limits.count({ key: `new-device:${id}`, most: MOST_WARNINGS, windowMs: HOUR_MS }, now())).within
}

interface Circumstances {
  flow: Flow
  proof: Proof
  language: string
  isNewDevice: boolean
  origin: { ip: string; userAgent: string }
}

/** Remembers the language for mails, ties a provider whose person has now proven the local account, and tells the owner of a browser not seen before. */
async function afterSignIn(
  account: Account,
  { flow, proof, language, isNewDevice, origin }: Circumstances,
  deps: SignInDeps,
): Promise<void> {
  const { changes, sealer, now } = deps
  const at = now()
  const link = flow.pendingLink?.email === account.email ? flow.pendingLink : undefined
  if (account.language === language && !link && !isNewDevice) return
  const person = { ...account, language }
  const mail = { to: account.email, language: mailLanguage(person) }
  const device = isNewDevice ? await deviceWords(origin.userAgent) : ''
  const provider = link && ((await providerStore(deps.storage.db).findById(link.providerId))?.name ?? link.providerId)
  await changes.transaction(async (tx) => {
    await accountStore(tx).setLanguage(account.id, language)
    // What voided the proof since the session began has ended that session: a tie made now would outlive both.
    const isLinked = link && (await holdProof(tx, account.id, proof)) && (await linkIdentity(tx, account.id, link, { now }))
    if (isLinked && provider !== undefined) {
      const data = { name: account.name, provider, notMeUrl: await mintNotMeUrl(tx, account, deps) }
      await queueMail(tx, { ...mail, kind: 'identity_linked', data }, { sealer, at })
    }
    if (isNewDevice) {
      const data = {
        name: account.name,
        when: at,
        device,
        ip: origin.ip,
        notMeUrl: await mintNotMeUrl(tx, account, deps),
      }
      await queueMail(tx, { ...mail, kind: 'new_device', data }, { sealer, at })
    }
  })
  deps.outbox.nudge()
}

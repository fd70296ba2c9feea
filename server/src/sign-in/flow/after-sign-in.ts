import { providerStore } from '../../identity-providers/index.ts'
import { HOUR_MS } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import {
  type FirstFactor,
  holdFirstFactor,
  linkIdentity,
  mailLanguage,
  mintReportUrl,
  needsSecondFactor,
  queueMail,
  type User,
  userStore,
} from '../../users/index.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'
import { deviceLabel } from './device.ts'
import type { Flow } from './flow.ts'

/** Mails about new browsers that an account's owner gets in an hour. */
const MAX_WARNINGS = 10

/** A thief who knows the password could otherwise bury the one important warning under hundreds of others. */
export async function mayNotify({ id }: User, { limits, now }: CompleteSignInDeps): Promise<boolean> {
  return (await limits.count({ key: `new-device:${id}`, most: MAX_WARNINGS, windowMs: HOUR_MS }, now())).within
}

interface Circumstances {
  flow: Flow
  factor: FirstFactor
  factors: 'one' | 'two'
  language: string
  isNewDevice: boolean
  origin: { ip: string; userAgent: string }
}

/**
 * Remembers the language for mails, links a provider's identity after the local account has authenticated, and notifies the owner of a new
 * browser.
 */
export async function afterSignIn(
  user: User,
  { flow, factor, factors, language, isNewDevice, origin }: Circumstances,
  deps: CompleteSignInDeps,
): Promise<void> {
  const { changes, sealer, now } = deps
  const at = now()
  const link = flow.pendingLink?.email === user.email ? flow.pendingLink : undefined
  if (user.language === language && !link && !isNewDevice) return
  const mail = { to: user.email, language: mailLanguage({ ...user, language }), productId: flow.target?.productId }
  const device = isNewDevice ? await deviceLabel(origin.userAgent) : ''
  const provider = link && ((await providerStore(deps.storage.db).findById(link.providerId))?.name ?? link.providerId)
  await changes.transaction(async (tx) => {
    await userStore(tx).setLanguage(user.id, language)
    const isLinked = link && (await mayLink(tx, user, { factor, factors })) && (await linkIdentity(tx, user.id, link, { now }))
    if (isLinked && provider !== undefined) {
      const data = { name: user.name, provider, reportUrl: await mintReportUrl(tx, user, deps) }
      await queueMail(tx, { ...mail, kind: 'identity_linked', data }, { sealer, at })
    }
    if (isNewDevice) {
      const data = {
        name: user.name,
        when: at,
        device,
        ip: origin.ip,
        reportUrl: await mintReportUrl(tx, user, deps),
      }
      await queueMail(tx, { ...mail, kind: 'new_device', data }, { sealer, at })
    }
  })
  deps.outbox.wake()
}

/**
 * Whether this sign-in may link a provider. A change that voided the first factor since the session began has ended that session: a link
 * made now would outlive both. An account that needs two factors is linked by a sign-in with two: the provider may state a second factor of
 * its own afterwards, and a thief of the password would have linked one that does.
 */
async function mayLink(tx: Transaction, user: User, { factor, factors }: Pick<Circumstances, 'factor' | 'factors'>): Promise<boolean> {
  if (!(await holdFirstFactor(tx, user.id, factor))) return false
  return factors === 'two' || !(await needsSecondFactor(tx, user))
}

import { type Actor, recordAudit } from '../../../audit/index.ts'
import type { ChangeFeed } from '../../../changes/index.ts'
import { type Now, normaliseEmail, type Sealer } from '../../../kit/index.ts'
import { isUniqueViolation, rollBackRefusals, type Transaction } from '../../../storage/index.ts'
import {
  addressStore,
  beginEmailChange,
  type CorrectionRefusal,
  correctProfile,
  identityStore,
  type MailJobDeps,
  mailLanguage,
  type ProfileCorrection,
  passkeyStore,
  queueInvitation,
  queueMail,
  queueTaxIdChangedBySupport,
  ticketStore,
  ticketUrl,
  type User,
  userStore,
} from '../../../users/index.ts'

/** The operator's corrections of a user, as typed. */
export interface Correction extends ProfileCorrection {
  email?: string
}

export type CorrectUserRefusal = {
  refusal: CorrectionRefusal | 'email_malformed' | 'email_taken' | 'same_email' | 'no_mail' | 'not_found' | 'disabled' | 'changed_meanwhile'
}

/**
 * `address`: the outcome for a new address. `asked`: its owner has to confirm it; `changed`: nobody had entered the account, so it was
 * changed and invited.
 */
export interface CorrectedUser {
  address: 'asked' | 'changed' | undefined
}

interface Deps {
  changes: ChangeFeed
  sealer: Sealer
  taxIdKey: Uint8Array
  now: Now
  actor: Actor
  /** The sender of mails; `undefined` without a mail server. */
  invite: Pick<MailJobDeps, 'sealer' | 'codeKey' | 'baseUrl'> | undefined
}

/** The life of the link to a new address, as its mail says. */
const CHANGE_MINUTES = 60

/**
 * Corrects the address, phone or tax id of a user, all of it or nothing, with a reason. A new address must be confirmed by its owner, who
 * signs in to the account for that: the operator alone moves no account to another mailbox. An account that nobody has entered yet gets the
 * address at once, with an invitation.
 */
export async function correctUser(
  user: User,
  correction: Correction,
  reason: string,
  deps: Deps,
): Promise<CorrectedUser | CorrectUserRefusal> {
  const { changes, now, actor } = deps
  try {
    return await rollBackRefusals<CorrectedUser, CorrectUserRefusal>((refuse) =>
      changes.transaction(async (tx, announce) => {
        const current = (await userStore(tx).holdById(user.id)) ?? refuse({ refusal: 'not_found' })
        if (current.role !== user.role) return refuse({ refusal: 'changed_meanwhile' })
        const profile = await correctProfile(tx, current, correction, { ...deps, at: now() })
        if ('refusal' in profile) return refuse(profile)
        await notify(tx, current, profile, deps)
        const address = correction.email === undefined ? undefined : await moveAddress(tx, current, correction.email, { ...deps, refuse })
        const after = { ...profile.after, ...(address && { email: address }) }
        await recordAudit(tx, { actor, action: 'user.correct', target: current.id, before: profile.before, after, reason }, now())
        announce({ kind: 'user_changed', subject: current.id })
        return { address }
      }),
    )
  } catch (error) {
    // Another user got this address or number first.
    if (isUniqueViolation(error)) return { refusal: correction.taxId ? 'tax_id_taken' : 'email_taken' }
    throw error
  }
}

/** Mails another tax id. An account that nobody has entered gets no mail: its address may be the mistyped one that is corrected here. */
async function notify(tx: Transaction, user: User, { newTaxId }: { newTaxId?: string | null }, { invite, now }: Deps): Promise<void> {
  if (newTaxId === undefined || !invite || !(await isEntered(tx, user))) return
  await queueTaxIdChangedBySupport(tx, user, newTaxId, { ...invite, now })
}

async function moveAddress(
  tx: Transaction,
  user: User,
  typed: string,
  { refuse, invite, sealer, now }: Deps & { refuse: (refusal: CorrectUserRefusal) => never },
): Promise<'asked' | 'changed'> {
  const email = normaliseEmail(typed) ?? refuse({ refusal: 'email_malformed' })
  if (!invite) return refuse({ refusal: 'no_mail' })
  if (user.disabledAt !== undefined) return refuse({ refusal: 'disabled' })
  if (email === user.email) return refuse({ refusal: 'same_email' })
  if (await userStore(tx).findByEmail(email)) return refuse({ refusal: 'email_taken' })
  if (!(await isEntered(tx, user))) {
    await addressStore(tx).correctEmail(user.id, email, now())
    await ticketStore(tx).removeOfUser(user.id)
    await queueInvitation(tx, { ...user, email }, { ...invite, now })
    return 'changed'
  }
  const { secret } = await beginEmailChange(tx, user, email, { sealer, codeKey: invite.codeKey, at: now() })
  const data = { name: user.name, url: ticketUrl(invite.baseUrl, '/confirm-email', secret), minutes: CHANGE_MINUTES }
  await queueMail(tx, { to: email, kind: 'confirm_new_address', data, language: mailLanguage(user) }, { sealer, at: now() })
  return 'asked'
}

/** Whether anybody can have signed in: the account has a verified address, a password, a passkey or a provider. */
async function isEntered(tx: Transaction, { id, emailVerifiedAt, passwordHash }: User): Promise<boolean> {
  if (emailVerifiedAt !== undefined || passwordHash !== undefined) return true
  return (await passkeyStore(tx).listOfUser(id)).length > 0 || (await identityStore(tx).listOfUser(id)).length > 0
}

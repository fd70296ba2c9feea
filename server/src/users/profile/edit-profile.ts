import { recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import { type Now, versionOf } from '../../kit/index.ts'
import { userStore } from '../store.ts'
import type { User } from '../user.ts'
import { maskPhone } from './correct-profile.ts'
import { parsePhone } from './phone.ts'
import { nameError, type ProfileErrors } from './profile.ts'
import { profileStore } from './profile-store.ts'

/** The form as it was typed; an empty phone or company empties the field. */
export interface OwnProfileInput {
  fullName: string
  phone: string
  companyName: string
  /** The version of the page on which it was typed (`profileVersion`). */
  seen: string
}

interface EditDeps {
  changes: ChangeFeed
  now: Now
  /** The address that the change came from. */
  ip: string
}

type Fields = Pick<User, 'name' | 'phone' | 'companyName'>

/** A hash of the fields that a user edits: it shows whether another tab has saved since. */
export function profileVersion({ name, phone, companyName }: Fields): string {
  return versionOf({ name, phone, companyName })
}

/**
 * Saves what a user edits of their own profile, all of it or nothing. `changed_meanwhile`: the page is older than what is stored; of any
 * number of concurrent calls from one page exactly one saves.
 */
export async function editProfile(
  userId: string,
  input: OwnProfileInput,
  { changes, now, ip }: EditDeps,
): Promise<{ saved: true } | { errors: ProfileErrors } | { refusal: 'changed_meanwhile' | 'gone' }> {
  const phone = input.phone.trim() === '' ? undefined : await parsePhone(input.phone)
  const companyName = input.companyName.trim() || undefined
  const at = now()
  return changes.transaction(async (tx, announce) => {
    const before = await userStore(tx).holdById(userId)
    if (!before) return { refusal: 'gone' }
    if (profileVersion(before) !== input.seen) return { refusal: 'changed_meanwhile' }
    const errors = findErrors(input, { phone, companyName, before })
    if (Object.keys(errors).length > 0) return { errors }
    const after = { ...before, name: input.fullName.trim(), companyName, phone }
    if (profileVersion(after) === input.seen) return { saved: true }
    await userStore(tx).update(after, at)
    await profileStore(tx).setPhone(userId, phone, at)
    const entry = { actor: `user:${userId}`, action: 'user.edit_profile', target: userId, ip } as const
    await recordAudit(tx, { ...entry, before: difference(before, after), after: difference(after, before) }, at)
    announce({ kind: 'user_changed', subject: userId })
    return { saved: true }
  })
}

/** A company has a name: whoever has given its CNPJ can't empty it. */
function findErrors(
  { fullName, phone: typed, companyName: typedCompany }: OwnProfileInput,
  { phone, companyName, before }: { phone: string | undefined; companyName: string | undefined; before: User },
): ProfileErrors {
  const needsCompany = before.taxIdKind === 'cnpj' && before.companyName !== undefined
  const name = nameError(fullName)
  const company = companyName === undefined ? (needsCompany ? 'required' : undefined) : nameError(typedCompany)
  return {
    ...(name && { full_name: name }),
    ...(phone === undefined && typed.trim() !== '' && { phone: 'invalid' as const }),
    ...(company && { company_name: company }),
  }
}

/** The fields of `one` that are others in `other`, the phone masked. */
function difference(one: Fields, other: Fields): Record<string, string | null> {
  return {
    ...(one.name !== other.name && { name: one.name }),
    ...(one.companyName !== other.companyName && { company_name: one.companyName ?? null }),
    ...(one.phone !== other.phone && { phone: maskPhone(one.phone) }),
  }
}

import { recordAudit } from '../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../changes/index.ts'
import { networkOf } from '../../http/index.ts'
import { DAY_MS, type Now, type PersonalId, parseForeignId, parseTaxId, type Sealer } from '../../kit/index.ts'
import type { LimitStore } from '../../rate-limits/index.ts'
import { isUniqueViolation, type Transaction } from '../../storage/index.ts'
import { isName } from '../insert-user.ts'
import type { User } from '../user.ts'
import { askedFields } from './asked-fields.ts'
import { parsePhone } from './phone.ts'
import type { ProfileRequirements } from './profile-requirements.ts'
import { type ProfileRecord, profileStore } from './profile-store.ts'
import { sealTaxId } from './tax-id/seal-tax-id.ts'

/** The form as it was typed. */
export interface ProfileInput {
  fullName: string
  taxId: string
  phone: string
  companyName: string
  /** Instead of a CPF or CNPJ, where the product accepts it: `passport` or `foreign_tax_id`, a country of ISO 3166-1, and the number. */
  foreign: { kind: string; country: string; number: string }
  /** The user declares that they have neither, where the product accepts that. */
  hasNoTaxId: boolean
}

export type ProfileField = 'full_name' | 'tax_id' | 'phone' | 'company_name' | 'document_country' | 'document_number'
export type ProfileError = 'required' | 'invalid' | 'too_long' | 'unusable' | 'too_many_tries'
export type ProfileErrors = Partial<Record<ProfileField, ProfileError>>

/** Valid numbers tried in a day. A taken number gets another answer than a free one, so a user may not try many. */
const MAX_A_DAY = { account: 3, network: 10 } as const
const MAX_NAME = 100

interface WriteDeps {
  changes: ChangeFeed
  now: Now
  address: string
  /** A floor above adds this to the transaction that completes a profile. */
  alsoOnSave: (tx: Transaction, userId: string, announce: Announce) => Promise<unknown>
}

/**
 * Saves the form of complete-profile: the full name, and the required ones of tax id, phone and company's name. Answers the wrong fields;
 * then nothing is written. A number of another account leaves an audit entry for support.
 */
export async function saveProfile(
  user: Pick<User, 'id' | 'taxIdKind' | 'phone' | 'companyName'>,
  input: ProfileInput,
  deps: WriteDeps & { requirements: ProfileRequirements; limits: LimitStore; sealer: Sealer; taxIdKey: Uint8Array },
): Promise<{ saved: true } | { errors: ProfileErrors }> {
  const { id: userId } = user
  const asked = askedFields(user, deps.requirements)
  const identity = asked.taxId ? readIdentity(input, deps.requirements) : { taxId: undefined }
  const taxId = 'errors' in identity ? undefined : identity.taxId
  const phone = asked.phone ? await parsePhone(input.phone) : undefined
  const hasCompany = asked.company === 'always' || (asked.company === 'with_cnpj' && typeof taxId === 'object' && taxId.kind === 'cnpj')
  const errors: ProfileErrors = {
    ...namedError('full_name', nameError(input.fullName)),
    ...('errors' in identity && identity.errors),
    ...namedError('phone', asked.phone && phone === undefined ? (input.phone.trim() === '' ? 'required' : 'invalid') : undefined),
    ...namedError('company_name', hasCompany ? nameError(input.companyName) : undefined),
  }
  if (Object.keys(errors).length > 0) return { errors }
  const field = typeof taxId === 'object' && 'number' in taxId ? 'document_number' : 'tax_id'
  if (typeof taxId === 'object' && !(await mayTry(userId, deps))) return { errors: { [field]: 'too_many_tries' } }
  const record: ProfileRecord = {
    name: input.fullName.trim(),
    companyName: hasCompany ? input.companyName.trim() : undefined,
    phone,
    taxId: typeof taxId === 'object' ? sealTaxId(userId, taxId, deps) : taxId,
  }
  try {
    return await write(userId, { record, field }, deps)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return write(userId, { record, field }, deps) // another user took this number first: now it is seen as taken
  }
}

/** A CPF or CNPJ; if none was typed, the foreign document or declaration that the product accepts. */
function readIdentity(
  { taxId, foreign, hasNoTaxId }: ProfileInput,
  { foreigners }: ProfileRequirements,
): { taxId: PersonalId | 'none' } | { errors: ProfileErrors } {
  if (taxId.trim() !== '') {
    const parsed = parseTaxId(taxId)
    return parsed ? { taxId: parsed } : { errors: { tax_id: 'invalid' } }
  }
  if (foreigners === 'exempt' && hasNoTaxId) return { taxId: 'none' }
  if (foreigners !== 'document' || (foreign.number.trim() === '' && foreign.country === '')) return { errors: { tax_id: 'required' } }
  if (foreign.country === '') return { errors: { document_country: 'required' } }
  if (foreign.number.trim() === '') return { errors: { document_number: 'required' } }
  const parsed = parseForeignId(foreign.kind, foreign.country, foreign.number)
  return parsed ? { taxId: parsed } : { errors: { document_number: 'invalid' } }
}

function namedError(field: ProfileField, error: ProfileError | undefined): ProfileErrors {
  return error === undefined ? {} : { [field]: error }
}

async function write(
  userId: string,
  { record, field }: { record: ProfileRecord; field: ProfileField },
  { changes, now, address, alsoOnSave }: WriteDeps,
): Promise<{ saved: true } | { errors: ProfileErrors }> {
  const at = now()
  const actor = `user:${userId}`
  return changes.transaction(async (tx, announce) => {
    if (!(await profileStore(tx).complete(userId, record, at))) {
      await recordAudit(tx, { actor, action: 'support.tax_id_in_use', target: userId, ip: address }, at)
      return { errors: { [field]: 'unusable' } }
    }
    const kind = typeof record.taxId === 'object' ? record.taxId.kind : record.taxId
    await recordAudit(tx, { actor, action: 'user.complete_profile', target: userId, after: { kind: kind ?? null }, ip: address }, at)
    announce({ kind: 'user_changed', subject: userId })
    await alsoOnSave(tx, userId, announce)
    return { saved: true }
  })
}

export function nameError(text: string): ProfileError | undefined {
  if (text.trim() === '') return 'required'
  if (text.length > MAX_NAME) return 'too_long'
  return isName(text) ? undefined : 'invalid'
}

/** A try that one limit refuses counts for no other: one user's many tries must not block all users behind the same address. */
export async function mayTry(
  userId: string,
  { limits, now, address }: { limits: LimitStore; now: Now; address: string },
): Promise<boolean> {
  const account = { key: `tax-id:account:${userId}`, most: MAX_A_DAY.account, windowMs: DAY_MS }
  if (!(await limits.count(account, now())).within) return false
  const network = { key: `tax-id:network:${networkOf(address)}`, most: MAX_A_DAY.network, windowMs: DAY_MS }
  if ((await limits.count(network, now())).within) return true
  await limits.uncount(account.key)
  return false
}

import { maskPersonalId, type PersonalId, parsePersonalIdText, parseTaxId, personalIdText, type Sealer } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { User } from '../user.ts'
import { parsePhone } from './phone.ts'
import { profileStore } from './profile-store.ts'
import { sealTaxId } from './tax-id/seal-tax-id.ts'
import { taxIdStore } from './tax-id/tax-id-store.ts'

/** The operator's corrections of a profile, as typed; an absent field stays, `null` empties it. */
export interface ProfileCorrection {
  phone?: string | null
  taxId?: string | null
}

export type CorrectionRefusal = 'phone_malformed' | 'tax_id_malformed' | 'tax_id_taken'

/** Before and after, for the audit log: neither number in full. */
export interface Corrected {
  before: Record<string, string | null>
  after: Record<string, string | null>
  /** The tax id as it is now, masked (`null`: none), if it is another one than before. */
  newTaxId?: string | null
}

interface Keys {
  sealer: Sealer
  taxIdKey: Uint8Array
}

/**
 * Corrects phone and tax id of an account inside the caller's transaction. A number of another account is refused, and nothing is written
 * then. A race for one number ends as a unique violation.
 */
export async function correctProfile(
  tx: Transaction,
  user: User,
  { phone, taxId }: ProfileCorrection,
  { sealer, taxIdKey, at }: Keys & { at: number },
): Promise<Corrected | { refusal: CorrectionRefusal }> {
  const corrected: Corrected = { before: {}, after: {} }
  const profile = profileStore(tx)
  if (phone !== undefined) {
    const number = phone === null ? undefined : await parsePhone(phone)
    if (phone !== null && number === undefined) return { refusal: 'phone_malformed' }
    await profile.setPhone(user.id, number, at)
    corrected.before.phone = maskPhone(user.phone)
    corrected.after.phone = maskPhone(number)
  }
  if (taxId !== undefined) {
    const parsed = taxId === null ? undefined : parseTaxId(taxId)
    if (taxId !== null && parsed === undefined) return { refusal: 'tax_id_malformed' }
    const sealed = parsed && sealTaxId(user.id, parsed, { sealer, taxIdKey })
    const before = await taxIdStore(tx).findSealedTaxId(user.id)
    if (!(await taxIdStore(tx).setTaxId(user.id, sealed, at))) return { refusal: 'tax_id_taken' }
    const known = before && sealer.open(before.sealed, `users_company.tax_id_sealed.${user.id}`)
    corrected.before.tax_id = masked(known)
    corrected.after.tax_id = maskedId(parsed)
    const isAsBefore = parsed === undefined ? before === undefined : personalIdText(parsed) === known
    if (!isAsBefore) corrected.newTaxId = corrected.after.tax_id
  }
  return corrected
}

function masked(text: string | undefined): string | null {
  return maskedId(text === undefined ? undefined : parsePersonalIdText(text))
}

function maskedId(id: PersonalId | undefined): string | null {
  return id === undefined ? null : maskPersonalId(id)
}

export function maskPhone(phone: string | undefined): string | null {
  return phone === undefined ? null : `${phone.slice(0, 3)}***${phone.slice(-2)}`
}

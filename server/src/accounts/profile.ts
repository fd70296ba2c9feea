import { recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import { type LimitStore, networkOf } from '../http/index.ts'
import { DAY_MS, hmacSha256, type Now, parseTaxId, type Sealer, type TaxId } from '../kit/index.ts'
import { isUniqueViolation, type Transaction } from '../storage/index.ts'
import { isName } from './create-account.ts'
import { type ProfileRecord, profileStore } from './profile-store.ts'

export interface ProfileInput {
  fullName: string
  taxId: string
  phone: string
  companyName: string
}

export type ProfileField = 'full_name' | 'tax_id' | 'phone' | 'company_name'
export type ProfileError = 'required' | 'invalid' | 'too_long' | 'unusable' | 'too_many_tries'
export type ProfileErrors = Partial<Record<ProfileField, ProfileError>>

/** Valid numbers tried in a day. Someone else's number answers differently from a free one, so that must stay rare. */
const MOST_A_DAY = { account: 3, network: 10 } as const
const MAX_NAME = 100

interface WriteDeps {
  changes: ChangeFeed
  now: Now
  address: string
  /** What a floor above does when a profile is complete, in the same transaction. */
  alsoOnSave: (tx: Transaction, userId: string, announce: Announce) => Promise<unknown>
}

/**
 * Saves what complete-profile asks: full name, CPF or CNPJ, phone, and the company's name with a CNPJ. Answers the fields that are wrong, in which case
 * nothing is written; a number of another account leaves an entry for support.
 */
export async function saveProfile(
  userId: string,
  input: ProfileInput,
  deps: WriteDeps & { limits: LimitStore; sealer: Sealer; taxIdKey: Uint8Array },
): Promise<{ saved: true } | { errors: ProfileErrors }> {
  const taxId = parseTaxId(input.taxId)
  const phone = await parsePhone(input.phone)
  const errors = profileErrors(input, taxId, phone)
  if (Object.keys(errors).length > 0 || !taxId || phone === undefined) return { errors }
  if (!(await mayTry(userId, deps))) return { errors: { tax_id: 'too_many_tries' } }
  const record = {
    name: input.fullName.trim(),
    companyName: taxId.kind === 'cnpj' ? input.companyName.trim() : undefined,
    phone,
    taxId: {
      kind: taxId.kind,
      sealed: deps.sealer.seal(taxId.digits, `users_company.tax_id_sealed.${userId}`),
      hash: hmacSha256(deps.taxIdKey, taxId.digits).toString('hex'),
    },
  }
  try {
    return await write(userId, record, deps)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return write(userId, record, deps) // someone was first with this number: now it is seen as taken
  }
}

async function write(
  userId: string,
  record: ProfileRecord,
  { changes, now, address, alsoOnSave }: WriteDeps,
): Promise<{ saved: true } | { errors: ProfileErrors }> {
  const at = now()
  const actor = `user:${userId}`
  return changes.transaction(async (tx, announce) => {
    if (!(await profileStore(tx).complete(userId, record, at))) {
      await recordAudit(tx, { actor, action: 'support.tax_id_in_use', target: userId, ip: address }, at)
      return { errors: { tax_id: 'unusable' } }
    }
    await recordAudit(tx, { actor, action: 'user.complete_profile', target: userId, after: { kind: record.taxId.kind }, ip: address }, at)
    announce({ kind: 'user_changed', subject: userId })
    await alsoOnSave(tx, userId, announce)
    return { saved: true }
  })
}

function profileErrors(input: ProfileInput, taxId: TaxId | undefined, phone: string | undefined): ProfileErrors {
  const errors: ProfileErrors = {}
  const name = nameError(input.fullName)
  if (name) errors.full_name = name
  if (input.taxId.trim() === '') errors.tax_id = 'required'
  else if (!taxId) errors.tax_id = 'invalid'
  if (input.phone.trim() === '') errors.phone = 'required'
  else if (phone === undefined) errors.phone = 'invalid'
  const company = taxId?.kind === 'cnpj' ? nameError(input.companyName) : undefined
  if (company) errors.company_name = company
  return errors
}

function nameError(text: string): ProfileError | undefined {
  if (text.trim() === '') return 'required'
  if (text.length > MAX_NAME) return 'too_long'
  return isName(text) ? undefined : 'invalid'
}

/** As E.164; a number without a country code is Brazilian. `undefined` when no phone has it. */
async function parsePhone(text: string): Promise<string | undefined> {
  if (text.length > 40) return undefined
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max') // large: loaded by the first profile, not at start
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: 'BR', extract: false })
  return parsed?.isValid() && parsed.ext === undefined ? parsed.number : undefined
}

/** A try that one limit refuses counts for no other: one person's insistence must not close the door to everyone behind the same address. */
async function mayTry(userId: string, { limits, now, address }: { limits: LimitStore; now: Now; address: string }): Promise<boolean> {
  const account = { key: `tax-id:account:${userId}`, most: MOST_A_DAY.account, windowMs: DAY_MS }
  if (!(await limits.count(account, now())).within) return false
  const network = { key: `tax-id:network:${networkOf(address)}`, most: MOST_A_DAY.network, windowMs: DAY_MS }
  if ((await limits.count(network, now())).within) return true
  await limits.uncount(account.key)
  return false
}

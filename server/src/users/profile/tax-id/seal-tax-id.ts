import { hmacSha256, type PersonalId, personalIdText, type Sealer } from '../../../kit/index.ts'
import type { ProfileRecord } from '../profile-store.ts'

/** A tax id as it is stored: sealed for its row, and found by its keyed hash. */
export function sealTaxId(
  userId: string,
  taxId: PersonalId,
  { sealer, taxIdKey }: { sealer: Sealer; taxIdKey: Uint8Array },
): Exclude<ProfileRecord['taxId'], 'none' | undefined> {
  const text = personalIdText(taxId)
  return {
    kind: taxId.kind,
    sealed: sealer.seal(text, `users_company.tax_id_sealed.${userId}`),
    hash: hmacSha256(taxIdKey, text).toString('hex'),
  }
}

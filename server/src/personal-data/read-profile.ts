import { formatPersonalId, type Sealer } from '../kit/index.ts'
import type { Queryable, Storage } from '../storage/index.ts'
import { findTaxId, ownTaxIdStore, pictureStore, type User } from '../users/index.ts'
import { isoTime } from './labels.ts'

export function profileJson(user: User) {
  return {
    id: user.id,
    external_id: user.externalId ?? null,
    email: user.email,
    email_verified_at: isoTime(user.emailVerifiedAt),
    name: user.name,
    avatar_url: user.avatarUrl ?? null,
    company_name: user.companyName ?? null,
    rank_name: user.rankName ?? null,
    is_producer: user.isProducer,
    phone: user.phone ?? null,
    role: user.role ?? null,
    language: user.language ?? null,
    created_at: isoTime(user.createdAt),
    disabled_at: isoTime(user.disabledAt),
    deletion_due_at: isoTime(user.leavesAt),
  }
}

/** The data that users have changed themselves: their picture as a file, and when they corrected their tax id. */
export async function readOwnEdits(db: Queryable, id: string) {
  const picture = await pictureStore(db).findOfUser(id)
  const { correctedAt } = await ownTaxIdStore(db).find(id)
  return {
    picture: picture === undefined ? null : `data:image/png;base64,${picture.toString('base64')}`,
    tax_id_corrected_at: isoTime(correctedAt),
  }
}

/**
 * In full: for its own user, and for the owners and support staff who export a user's data, which is audited. `number` is null where
 * today's keys do not open the stored one.
 */
export async function readTaxId(user: User, deps: { storage: Storage; sealer: Sealer }) {
  const taxId = await findTaxId(user, deps)
  if (taxId === undefined) return null
  return taxId === 'unreadable' ? { kind: null, number: null } : { kind: taxId.kind, number: formatPersonalId(taxId) }
}

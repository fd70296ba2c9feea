import { maskPersonalId, type PersonalId, parsePersonalIdText, type Sealer } from '../../../kit/index.ts'
import type { Storage } from '../../../storage/index.ts'
import { taxIdStore } from './tax-id-store.ts'

/**
 * A user's tax id in full; `unreadable` where today's keys do not open the stored one. Who may see one:
 * - masked (`maskPersonalId`): the user, on the pages of the account; owners and support staff, in the console and the admin API.
 * - in full: the user, and owners and support staff, in the export of all data of that user, which is audited; the operator at the command
 *   line, with `user export` and `export users --with-tax-ids`.
 * - not at all: viewers, apps (a token and a check have none), and whoever reads the database, where it is sealed.
 */
export async function findTaxId(
  { id }: { id: string },
  { storage, sealer }: { storage: Pick<Storage, 'db'>; sealer: Sealer },
): Promise<PersonalId | 'unreadable' | undefined> {
  const stored = await taxIdStore(storage.db).findSealedTaxId(id)
  if (!stored) return undefined
  return openTaxId({ id, sealed: stored.sealed }, sealer)
}

/** A stored one, opened. */
export function openTaxId({ id, sealed }: { id: string; sealed: string }, sealer: Sealer): PersonalId | 'unreadable' {
  const digits = sealer.open(sealed, `users_company.tax_id_sealed.${id}`)
  return (digits === undefined ? undefined : parsePersonalIdText(digits)) ?? 'unreadable'
}

/** The same, masked. */
export async function findMaskedTaxId(user: { id: string }, deps: Parameters<typeof findTaxId>[1]): Promise<string | undefined> {
  const taxId = await findTaxId(user, deps)
  return taxId === undefined || taxId === 'unreadable' ? undefined : maskPersonalId(taxId)
}

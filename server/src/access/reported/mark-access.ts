import type { Change } from '../../changes/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import type { AccessSubject } from './followed-store.ts'
import { markSubject, markUser } from './mark-store.ts'
import { startScans } from './scan-store.ts'

/**
 * Marks the users whose access a transaction may have changed, as its last work, for the reporter to look at. Each such change is announced
 * already, since nodes remember answers. With no endpoint for it this is one look into an empty table for each announced user. Rows are
 * written in one order, so no two transactions wait for each other.
 */
export async function markAccess(
  tx: Transaction,
  announced: readonly Change[],
  { at, address }: { at: number } & Pick<Storage, 'address'>,
): Promise<void> {
  const users = announced.flatMap(({ kind, subject }) => (kind === 'user_changed' ? [subject] : []))
  for (const userId of [...new Set(users)].sort()) await markUser(tx, userId)
  for (const subject of subjectsOf(announced)) await markSubject(tx, subject)
  for (const productId of scannedProducts(announced)) await startScans(tx, productId, { at, address })
}

function subjectsOf(announced: readonly Change[]): AccessSubject[] {
  const named = announced.flatMap(({ access }) =>
    access && 'productUser' in access ? [{ productId: access.productId, subject: access.productUser }] : [],
  )
  const byKey = new Map(named.map((one) => [`${one.productId} ${one.subject}`, one]))
  return [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? [])
}

/** `undefined`: all. */
function scannedProducts(announced: readonly Change[]): Array<string | undefined> {
  const wide = announced.flatMap(({ access }) => (access && !('productUser' in access) ? [access] : []))
  if (wide.some((access) => 'products' in access)) return [undefined]
  return [...new Set(wide.flatMap((access) => ('productId' in access ? [access.productId] : [])))].sort()
}

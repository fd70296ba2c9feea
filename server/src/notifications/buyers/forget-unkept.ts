import type { Transaction } from '../../storage/index.ts'
import { addressesIn } from './addresses.ts'
import { forgetBuyerStore } from './forget-buyer-store.ts'
import { termStore } from './term-store.ts'

/** A notification is no longer found by an address that was noted with it, and that no part of it has any more. */
export async function forgetUnkept(tx: Transaction, id: string, address: string | undefined): Promise<void> {
  const noted = addressesIn(address)
  if (noted.length === 0) return
  const { payload, buyer, normalized } = (await forgetBuyerStore(tx).read(id)) ?? {}
  const kept = new Set(addressesIn(payload, buyer, normalized?.email))
  await termStore(tx).forget(
    id,
    noted.filter((one) => !kept.has(one)),
  )
}

import { hmacSha256, type Sealer } from '../../kit/index.ts'
import { isUniqueViolation, type Transaction } from '../../storage/index.ts'
import { taxIdStore } from '../../users/index.ts'
import { openOrStop, PAGE, Stuck } from './reseal.ts'

export interface Keys {
  sealer: Sealer
  taxIdKey: Uint8Array
}

export async function resealTaxIds(tx: Transaction, { sealer, taxIdKey }: Keys): Promise<number> {
  const taxIds = taxIdStore(tx)
  let count = 0
  for (let cursor = ''; ; ) {
    const page = await taxIds.listSealedTaxIds({ limit: PAGE, cursor })
    for (const { userId, sealed } of page) {
      const place = `users_company.tax_id_sealed.${userId}`
      const digits = openOrStop(sealed, place, sealer)
      const resealed = { sealed: sealer.seal(digits, place), hash: hmacSha256(taxIdKey, digits).toString('hex') }
      await taxIds.resealTaxId(userId, resealed).catch((error) => {
        throw isUniqueViolation(error) ? new Stuck({ refusal: 'tax_id_twice', place }) : error
      })
    }
    count += page.length
    const last = page.at(-1)
    if (!last || page.length < PAGE) return count
    cursor = last.userId
  }
}

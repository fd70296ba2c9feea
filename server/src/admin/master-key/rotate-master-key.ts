import { type Actor, recordAudit } from '../../audit/index.ts'
import type { Now } from '../../kit/index.ts'
import { countValues, resealMasterKeyMark, type Storage, takeLock } from '../../storage/index.ts'
import { type MasterKeyRefusal, type Resealed, Stuck } from './reseal.ts'
import { resealKeys } from './reseal-keys.ts'
import { resealSignIn } from './reseal-sign-in.ts'
import { type Keys, resealTaxIds } from './reseal-tax-ids.ts'

/** The columns whose values may be many. */
const MANY = [
  ['users_company', 'tax_id_sealed'],
  ['tickets', 'payload_sealed'],
  ['totp_factors', 'secret_sealed'],
  ['outbox', 'payload_sealed'],
] as const

/**
 * Seals everything with the sealer's current key and computes the hashes of tax ids with the current index key, in one transaction:
 * afterwards the previous key is not needed any more. Running it again is harmless: values sealed with the current key are sealed once
 * more.
 */
export async function rotateMasterKey(
  { sealer: current, taxIdKey }: Keys,
  { storage, now, actor, onSealed }: { storage: Storage; now: Now; actor: Actor; onSealed?: (count: number, part: number) => void },
): Promise<Resealed | MasterKeyRefusal> {
  const total = Math.max(await countValues(storage.db, MANY), 1)
  try {
    return await storage.transaction(async (tx) => {
      let count = 0
      const sealer = {
        ...current,
        seal: (plain: string, place: string) => {
          count++
          onSealed?.(count, count / total)
          return current.seal(plain, place)
        },
      }
      await takeLock(tx, 'signingKeys', storage)
      const resealed = {
        ...(await resealKeys(tx, sealer)),
        taxIds: await resealTaxIds(tx, { sealer, taxIdKey }),
        ...(await resealSignIn(tx, sealer)),
      }
      await resealMasterKeyMark(tx, sealer)
      await recordAudit(tx, { actor, action: 'master_key.rotate', target: 'master_key', after: { ...resealed } }, now())
      return resealed
    })
  } catch (error) {
    if (error instanceof Stuck) return error.refusal
    throw error
  }
}

import { recordAudit } from '../../../audit/index.ts'
import type { ChangeFeed } from '../../../changes/index.ts'
import {
  maskPersonalId,
  type Now,
  type PersonalId,
  parsePersonalIdText,
  parseTaxId,
  personalIdText,
  type Sealer,
} from '../../../kit/index.ts'
import type { LimitStore } from '../../../rate-limits/index.ts'
import { isUniqueViolation, type Queryable, type Storage, type Transaction } from '../../../storage/index.ts'
import { userStore } from '../../store.ts'
import { mayTry } from '../profile.ts'
import { ownTaxIdStore } from './own-tax-id-store.ts'
import { sealTaxId } from './seal-tax-id.ts'
import { queueTaxIdCorrected } from './tax-id-mails.ts'
import { taxIdStore } from './tax-id-store.ts'

interface OwnTaxIdDeps {
  storage: Pick<Storage, 'db'>
  changes: ChangeFeed
  limits: LimitStore
  sealer: Sealer
  taxIdKey: Uint8Array
  now: Now
  /** Where the request came from: the address counts the tries, and the mail names both. */
  address: string
  device: string
  codeKey: Uint8Array
  /** `PORTARIA_URL`: the mail's link is built from it. */
  baseUrl: string
  /** The caller's own condition, in the same transaction: `false` writes nothing. */
  hold: (tx: Transaction) => Promise<boolean>
}

/**
 * `enter`: there is no CPF or CNPJ yet. `correct`: there is one, which its user may correct once. `support`: it was corrected; only support
 * can change it.
 */
export type OwnTaxIdState = { may: 'enter' | 'correct' } | { may: 'support'; correctedAt: number }

export type OwnTaxIdRefusal = 'required' | 'invalid' | 'same' | 'unusable' | 'too_many_tries' | 'corrected_already' | 'gone'

export async function readOwnTaxIdState(db: Queryable, userId: string): Promise<OwnTaxIdState> {
  const { kind, correctedAt } = await ownTaxIdStore(db).find(userId)
  if (kind !== 'cpf' && kind !== 'cnpj') return { may: 'enter' }
  return correctedAt === undefined ? { may: 'correct' } : { may: 'support', correctedAt }
}

/**
 * Enters a user's CPF or CNPJ, or corrects it, which each user may do once: of any number of concurrent corrections exactly one is saved.
 * Only valid numbers count as tries, and those that can't be this user's get one answer, whoever has them.
 */
export async function changeOwnTaxId(
  userId: string,
  typed: string,
  deps: OwnTaxIdDeps,
): Promise<{ saved: 'entered' | 'corrected' } | { refusal: OwnTaxIdRefusal }> {
  if (typed.trim() === '') return { refusal: 'required' }
  const taxId = parseTaxId(typed)
  if (!taxId) return { refusal: 'invalid' }
  // Before anything else is found out about the number.
  if ((await readOwnTaxIdState(deps.storage.db, userId)).may === 'support') return { refusal: 'corrected_already' }
  if (!(await mayTry(userId, deps))) return { refusal: 'too_many_tries' }
  try {
    return await write(userId, taxId, deps)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return write(userId, taxId, deps) // another user took this number first: now it is seen as taken
  }
}

function write(
  userId: string,
  taxId: PersonalId,
  deps: OwnTaxIdDeps,
): Promise<{ saved: 'entered' | 'corrected' } | { refusal: OwnTaxIdRefusal }> {
  const { changes, sealer, taxIdKey, now, address: ip, device, hold } = deps
  const at = now()
  const by = { actor: `user:${userId}`, target: userId, ip } as const
  return changes.transaction(async (tx, announce) => {
    const user = (await hold(tx)) ? await userStore(tx).holdById(userId) : undefined
    if (!user) return { refusal: 'gone' }
    const taxIds = taxIdStore(tx)
    const { may } = await readOwnTaxIdState(tx, userId)
    if (may === 'support') return { refusal: 'corrected_already' }
    const before = await taxIds.findSealedTaxId(userId)
    const known = before && sealer.open(before.sealed, `users_company.tax_id_sealed.${userId}`)
    const old = known === undefined ? undefined : parsePersonalIdText(known)
    if (old && personalIdText(old) === personalIdText(taxId)) return { refusal: 'same' }
    if (!(await taxIds.setTaxId(userId, sealTaxId(userId, taxId, { sealer, taxIdKey }), at))) {
      await recordAudit(tx, { ...by, action: 'support.tax_id_in_use' }, at)
      return { refusal: 'unusable' }
    }
    if (may === 'correct') {
      await ownTaxIdStore(tx).markCorrected(userId, at)
      await queueTaxIdCorrected(tx, user, { taxId: maskPersonalId(taxId), device, ip }, deps)
    }
    const masked = { before: { tax_id: old ? maskPersonalId(old) : null }, after: { tax_id: maskPersonalId(taxId) } }
    await recordAudit(tx, { ...by, action: may === 'correct' ? 'user.correct_tax_id' : 'user.enter_tax_id', ...masked }, at)
    announce({ kind: 'user_changed', subject: userId })
    return { saved: may === 'correct' ? 'corrected' : 'entered' }
  })
}

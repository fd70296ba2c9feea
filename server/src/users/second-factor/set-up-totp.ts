import { recordAudit } from '../../audit/index.ts'
import { MINUTE_MS } from '../../kit/index.ts'
import type { Queryable, Transaction } from '../../storage/index.ts'
import { ticketStore } from '../tickets/ticket-store.ts'
import type { User } from '../user.ts'
import { replaceRecoveryCodes } from './renew-recovery-codes.ts'
import { secondFactorStore, type TotpFactor } from './second-factor-store.ts'
import { findTotpStep, mintTotpSecret, totpUri } from './totp.ts'
import { type FactorDeps, pendingPlace, type SettingUp, secretPlace } from './totp-secret.ts'

/** A secret that was shown but not confirmed is forgotten then: someone who saw it long ago must not know the one that a user turns on. */
const SET_UP_MS = 30 * MINUTE_MS

/**
 * A user's second factor as their page shows it: `pending` for its first code, with the data for the app, in the session that began it.
 */
export type FactorState =
  | { state: 'off' }
  | { state: 'pending'; secret: string; uri: string }
  | { state: 'on'; since: number; recoveryCodesLeft: number }

export async function readSecondFactor(
  db: Queryable,
  { email, ...of }: SettingUp & Pick<User, 'email'>,
  { issuer, sealer, now }: FactorDeps & { issuer: string },
): Promise<FactorState> {
  const factor = await secondFactorStore(db).findTotp(of.userId)
  if (factor?.confirmedAt !== undefined)
    return { state: 'on', since: factor.confirmedAt, recoveryCodesLeft: await secondFactorStore(db).countRecoveryCodes(of.userId) }
  const secret = factor && openPending(factor, of, { sealer, now })
  return secret === undefined ? { state: 'off' } : { state: 'pending', secret, uri: totpUri(secret, { issuer, email }) }
}

function openPending({ secretSealed, createdAt }: TotpFactor, of: SettingUp, { sealer, now }: FactorDeps): string | undefined {
  return now() - createdAt < SET_UP_MS ? sealer.open(secretSealed, pendingPlace(of)) : undefined
}

/**
 * Makes a secret for a user's app, unless one is pending in this session already; one of another session goes. It has no effect until it is
 * confirmed; a confirmed one stays.
 */
export async function beginTotp(tx: Transaction, of: SettingUp, { sealer, now }: FactorDeps): Promise<void> {
  const before = await secondFactorStore(tx).findTotp(of.userId)
  if (before && openPending(before, of, { sealer, now }) !== undefined) return
  await secondFactorStore(tx).begin(of.userId, sealer.seal(mintTotpSecret(), pendingPlace(of)), now())
}

/** Gives a user the factor that they had in another system: its app goes on. There are no recovery codes until the user makes some. */
export function importTotp(tx: Transaction, { id }: Pick<User, 'id'>, secret: string, { sealer, now }: FactorDeps): Promise<boolean> {
  return secondFactorStore(tx).insertConfirmed(id, sealer.seal(secret, secretPlace(id)), now())
}

/**
 * Turns the factor on with the first code of the app, and answers the recovery codes, this once. All mailed links become void: they were
 * sent when less was needed to sign in.
 */
export async function confirmTotp(
  tx: Transaction,
  of: SettingUp,
  code: string,
  { sealer, now, ip }: FactorDeps & { ip: string },
): Promise<{ recoveryCodes: string[] } | 'wrong_code'> {
  const { userId: id } = of
  const factors = secondFactorStore(tx)
  const factor = await factors.findTotp(id)
  const secret = factor && openPending(factor, of, { sealer, now })
  const step = secret === undefined ? undefined : findTotpStep(secret, code.replace(/\s/g, ''), now())
  if (!factor || secret === undefined || step === undefined) return 'wrong_code'
  const secretSealed = sealer.seal(secret, secretPlace(id))
  if (!(await factors.confirm(id, factor.secretSealed, { secretSealed, step, at: now() }))) return 'wrong_code'
  const recoveryCodes = await replaceRecoveryCodes(tx, id, now())
  await ticketStore(tx).removeOfUser(id)
  await recordAudit(tx, { actor: `user:${id}`, action: 'user.second_factor_on', target: id, ip }, now())
  return { recoveryCodes }
}

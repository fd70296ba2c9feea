import { recordAudit } from '../audit/index.ts'
import type { LimitStore } from '../http/index.ts'
import { DAY_MS, type Now, type Sealer } from '../kit/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import type { Account } from './account.ts'
import type { Attempts, TooManyAttempts } from './attempts.ts'
import type { DeviceCookies } from './device-cookie.ts'
import { factorStore } from './factor-store.ts'
import { hashRecoveryCode, mintRecoveryCodes, parseRecoveryCode } from './recovery-codes.ts'
import { ticketStore } from './ticket-store.ts'
import { findTotpStep, mintTotpSecret, totpUri } from './totp.ts'

export interface FactorDeps {
  sealer: Sealer
  now: Now
}

const place = (userId: string) => `totp_factors.secret_sealed.${userId}`

/** Whether a person is to be asked for a code on every way in. */
export async function hasSecondFactor(db: Storage['db'], userId: string): Promise<boolean> {
  return (await factorStore(db).findTotp(userId))?.confirmedAt !== undefined
}

/**
 * Shows a person a secret for their app: the one that waits to be confirmed, or a new one. Nothing is asked of anybody before it is confirmed. `already_on`: there is a
 * confirmed one.
 */
export async function beginTotp(
  tx: Transaction,
  { id, email }: Pick<Account, 'id' | 'email'>,
  { issuer, sealer, now }: FactorDeps & { issuer: string },
): Promise<{ secret: string; uri: string } | 'already_on'> {
  const before = await factorStore(tx).findTotp(id)
  if (before?.confirmedAt !== undefined) return 'already_on'
  const waiting = before && sealer.open(before.secretSealed, place(id))
  const secret = waiting ?? mintTotpSecret()
  if (waiting === undefined && !(await factorStore(tx).begin(id, sealer.seal(secret, place(id)), now()))) return 'already_on'
  return { secret, uri: totpUri(secret, { issuer, email }) }
}

/** Turns the factor on with the first code of the app, and answers the recovery codes, this once. Everything mailed before dies: it was sent to who had less to show. */
export async function confirmTotp(
  tx: Transaction,
  { id }: Pick<Account, 'id'>,
  code: string,
  { sealer, now, ip }: FactorDeps & { ip: string },
): Promise<{ recoveryCodes: string[] } | 'wrong_code'> {
  const factors = factorStore(tx)
  const factor = await factors.findTotp(id)
  const secret = factor && sealer.open(factor.secretSealed, place(id))
  const step = secret === undefined ? undefined : findTotpStep(secret, code.replace(/\s/g, ''), now())
  if (!factor || step === undefined || !(await factors.confirm(id, factor.secretSealed, step, now()))) return 'wrong_code'
  const recoveryCodes = await replaceRecoveryCodes(tx, id, now())
  await ticketStore(tx).removeOfUser(id)
  await recordAudit(tx, { actor: `user:${id}`, action: 'user.second_factor_on', target: id, ip }, now())
  return { recoveryCodes }
}

/** New recovery codes; all others are void. */
export async function renewRecoveryCodes(
  tx: Transaction,
  { id }: Pick<Account, 'id'>,
  { now, ip }: { now: Now; ip: string },
): Promise<string[]> {
  await recordAudit(tx, { actor: `user:${id}`, action: 'user.recovery_codes_renewed', target: id, ip }, now())
  return replaceRecoveryCodes(tx, id, now())
}

async function replaceRecoveryCodes(tx: Transaction, userId: string, at: number): Promise<string[]> {
  const codes = mintRecoveryCodes()
  await factorStore(tx).replaceRecoveryCodes(
    userId,
    codes.map((code) => hashRecoveryCode(userId, code)),
    at,
  )
  return codes
}

/** Takes a person's second factor away, recovery codes and all; `false` when there was none. `actor`: the person, or the operator who helps one that has lost everything. */
export async function removeSecondFactor(
  tx: Transaction,
  userId: string,
  { actor, reason, ip, now }: { actor: string; reason?: string; ip?: string; now: Now },
): Promise<boolean> {
  if (!(await factorStore(tx).removeTotp(userId))) return false
  await ticketStore(tx).removeOfUser(userId)
  const entry = {
    actor,
    action: 'user.second_factor_off',
    target: userId,
    ...(reason !== undefined && { reason }),
    ...(ip !== undefined && { ip }),
  }
  await recordAudit(tx, entry, now())
  return true
}

export interface FactorAttempt {
  account: Pick<Account, 'id' | 'email'>
  /** Six digits of the app, or a recovery code, however it was typed. */
  code: string
  /** Where it came from. */
  address: string
  deviceCookie: string | undefined
}

/** `recoveryCodesLeft` is there when one was used. */
export type ProvenFactor = { used: 'totp' } | { used: 'recovery_code'; recoveryCodesLeft: number }

export interface FactorCheckDeps extends FactorDeps {
  storage: Storage
  attempts: Attempts
  limits: LimitStore
  devices: DeviceCookies
}

/**
 * Three of a million codes are right at any moment, and the password is known to who gets here: beside the limits on passwords, so many a day. A browser of the person's
 * own has a counter of its own.
 */
const MOST_A_DAY = 30

/** Checks a code and uses it up: of any number of calls with one code exactly one succeeds. Under the same limits as a password, since it is guessed by the same people. */
export async function proveSecondFactor(
  { account, code, address, deviceCookie }: FactorAttempt,
  deps: FactorCheckDeps,
): Promise<ProvenFactor | { refusal: 'wrong_code' } | TooManyAttempts> {
  const { attempts, limits, devices, now } = deps
  const device = devices.deviceOf(deviceCookie, account.id)
  const daily = `second-factor:${account.id}:${device ?? ''}`
  const counted = await attempts.count({ email: account.email, address, device })
  if ('refusal' in counted) return counted
  const { within, retryAfterSeconds } = await limits.count({ key: daily, most: MOST_A_DAY, windowMs: DAY_MS }, now())
  if (!within) {
    await counted.takeBack()
    return { refusal: 'too_many_attempts', retryAfterSeconds }
  }
  const proven = await use(account.id, code, deps)
  if (!proven) return { refusal: 'wrong_code' }
  await counted.takeBack()
  await limits.uncount(daily)
  return proven
}

async function use(userId: string, code: string, { storage, sealer, now }: FactorCheckDeps): Promise<ProvenFactor | undefined> {
  const factors = factorStore(storage.db)
  const factor = await factors.findTotp(userId)
  if (factor?.confirmedAt === undefined) return undefined
  const secret = sealer.open(factor.secretSealed, place(userId))
  const step = secret === undefined ? undefined : findTotpStep(secret, code.replace(/\s/g, ''), now())
  if (step !== undefined) return (await factors.useStep(userId, factor.secretSealed, step)) ? { used: 'totp' } : undefined
  const recovery = parseRecoveryCode(code)
  if (recovery === undefined) return undefined
  const isUsed = await factors.useRecoveryCode(userId, hashRecoveryCode(userId, recovery), now())
  return isUsed ? { used: 'recovery_code', recoveryCodesLeft: await factors.countRecoveryCodes(userId) } : undefined
}

import { type Actor, recordAudit } from '../../audit/index.ts'
import { DAY_MS, MINUTE_MS, type Now, type Sealer } from '../../kit/index.ts'
import type { LimitStore } from '../../rate-limits/index.ts'
import type { Queryable, Storage, Transaction } from '../../storage/index.ts'
import { passkeyStore } from '../passkeys/passkey-store.ts'
import type { Attempts, TooManyAttempts } from '../passwords/attempts.ts'
import type { DeviceCookies } from '../passwords/device-cookie.ts'
import { ticketStore } from '../tickets/ticket-store.ts'
import type { User } from '../user.ts'
import { hashRecoveryCode, mintRecoveryCodes, parseRecoveryCode } from './recovery-codes.ts'
import { secondFactorStore, type TotpFactor } from './second-factor-store.ts'
import { findTotpStep, mintTotpSecret, totpUri } from './totp.ts'

export interface FactorDeps {
  sealer: Sealer
  now: Now
}

const place = (userId: string) => `totp_factors.secret_sealed.${userId}`

/** A stored secret, for the export alone; `undefined` where today's keys do not open it. */
export function openTotpSecret({ id, sealed }: { id: string; sealed: string }, sealer: Sealer): string | undefined {
  return sealer.open(sealed, place(id))
}

/** Whether a user is asked for a code at every sign-in. */
export async function hasSecondFactor(db: Queryable, userId: string): Promise<boolean> {
  return (await secondFactorStore(db).findTotp(userId))?.confirmedAt !== undefined
}

/**
 * Whether a single factor is not enough for a recent authentication. That is so where a second factor is on, and for an administrator with
 * a passkey: the console asks for the passkey, and a thief of the password could otherwise add a factor of their own and enter with it.
 */
export async function needsSecondFactor(db: Queryable, { id, role }: Pick<User, 'id' | 'role'>): Promise<boolean> {
  return (await hasSecondFactor(db, id)) || (role !== undefined && (await passkeyStore(db).countOfUser(id)) > 0)
}

/** A secret that was shown but not confirmed is forgotten then: someone who saw it long ago must not know the one that a user turns on. */
const SET_UP_MS = 30 * MINUTE_MS

/** A user's second factor as their page shows it: `pending` for its first code, with the data for the app. */
export type FactorState =
  | { state: 'off' }
  | { state: 'pending'; secret: string; uri: string }
  | { state: 'on'; since: number; recoveryCodesLeft: number }

export async function readSecondFactor(
  db: Queryable,
  { id, email }: Pick<User, 'id' | 'email'>,
  { issuer, sealer, now }: FactorDeps & { issuer: string },
): Promise<FactorState> {
  const factor = await secondFactorStore(db).findTotp(id)
  if (factor?.confirmedAt !== undefined)
    return { state: 'on', since: factor.confirmedAt, recoveryCodesLeft: await secondFactorStore(db).countRecoveryCodes(id) }
  const secret = factor && openPending(factor, id, { sealer, now })
  return secret === undefined ? { state: 'off' } : { state: 'pending', secret, uri: totpUri(secret, { issuer, email }) }
}

function openPending({ secretSealed, createdAt }: TotpFactor, userId: string, { sealer, now }: FactorDeps): string | undefined {
  return now() - createdAt < SET_UP_MS ? sealer.open(secretSealed, place(userId)) : undefined
}

/** Makes a secret for a user's app, unless one is pending already. It has no effect until it is confirmed; a confirmed one stays. */
export async function beginTotp(tx: Transaction, { id }: Pick<User, 'id'>, { sealer, now }: FactorDeps): Promise<void> {
  const before = await secondFactorStore(tx).findTotp(id)
  if (before && openPending(before, id, { sealer, now }) !== undefined) return
  await secondFactorStore(tx).begin(id, sealer.seal(mintTotpSecret(), place(id)), now())
}

/** Gives a user the factor that they had in another system: its app goes on. There are no recovery codes until the user makes some. */
export function importTotp(tx: Transaction, { id }: Pick<User, 'id'>, secret: string, { sealer, now }: FactorDeps): Promise<boolean> {
  return secondFactorStore(tx).insertConfirmed(id, sealer.seal(secret, place(id)), now())
}

/**
 * Turns the factor on with the first code of the app, and answers the recovery codes, this once. All mailed links become void: they were
 * sent when less was needed to sign in.
 */
export async function confirmTotp(
  tx: Transaction,
  { id }: Pick<User, 'id'>,
  code: string,
  { sealer, now, ip }: FactorDeps & { ip: string },
): Promise<{ recoveryCodes: string[] } | 'wrong_code'> {
  const factors = secondFactorStore(tx)
  const factor = await factors.findTotp(id)
  const secret = factor && openPending(factor, id, { sealer, now })
  const step = secret === undefined ? undefined : findTotpStep(secret, code.replace(/\s/g, ''), now())
  if (!factor || step === undefined || !(await factors.confirm(id, factor.secretSealed, step, now()))) return 'wrong_code'
  const recoveryCodes = await replaceRecoveryCodes(tx, id, now())
  await ticketStore(tx).removeOfUser(id)
  await recordAudit(tx, { actor: `user:${id}`, action: 'user.second_factor_on', target: id, ip }, now())
  return { recoveryCodes }
}

/** New recovery codes; all others are void. `off`: there is no factor to recover. */
export async function renewRecoveryCodes(
  tx: Transaction,
  { id }: Pick<User, 'id'>,
  { now, ip }: { now: Now; ip: string },
): Promise<string[] | 'off'> {
  if (!(await hasSecondFactor(tx, id))) return 'off'
  await recordAudit(tx, { actor: `user:${id}`, action: 'user.recovery_codes_renewed', target: id, ip }, now())
  return replaceRecoveryCodes(tx, id, now())
}

async function replaceRecoveryCodes(tx: Transaction, userId: string, at: number): Promise<string[]> {
  const codes = mintRecoveryCodes()
  await secondFactorStore(tx).replaceRecoveryCodes(
    userId,
    codes.map((code) => hashRecoveryCode(userId, code)),
    at,
  )
  return codes
}

/**
 * Removes a user's second factor with its recovery codes; `false` when there was none. `actor`: the user, or an administrator who helps a
 * user without app and codes.
 */
export async function removeSecondFactor(
  tx: Transaction,
  userId: string,
  { actor, reason, ip, now }: { actor: Actor; reason?: string; ip?: string; now: Now },
): Promise<boolean> {
  if (!(await secondFactorStore(tx).remove(userId))) return false
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
  user: Pick<User, 'id' | 'email'>
  /** Six digits of the app, or a recovery code, in any spelling. */
  code: string
  /** The address that the request came from. */
  address: string
  deviceCookie: string | undefined
}

/** `recoveryCodesLeft` is set when one was used. */
export type VerifiedFactor = { used: 'totp' } | { used: 'recovery_code'; recoveryCodesLeft: number }

export interface FactorCheckDeps extends FactorDeps {
  storage: Storage
  attempts: Attempts
  limits: LimitStore
  devices: DeviceCookies
}

/**
 * Three of a million codes are right at any moment, and an attacker here knows the password: beside the limits on passwords, this many a
 * day. A browser in which the factor was shown or turned on has its own counter. Device cookies from before do not count, since an attacker
 * with the password can collect them.
 */
const MAX_A_DAY = 30

/**
 * Checks a code and uses it up: of any number of calls with one code exactly one succeeds. It shares the limits of passwords, because the
 * same attackers guess both.
 */
export async function verifySecondFactor(
  { user, code, address, deviceCookie }: FactorAttempt,
  deps: FactorCheckDeps,
): Promise<VerifiedFactor | { refusal: 'wrong_code' } | TooManyAttempts> {
  const { attempts, limits, devices, now } = deps
  const factor = await secondFactorStore(deps.storage.db).findTotp(user.id)
  const device = devices.deviceOf(deviceCookie, user.id)
  const verifiedDevice = devices.deviceOf(deviceCookie, user.id, { since: factor?.confirmedAt ?? Number.POSITIVE_INFINITY })
  const daily = `second-factor:${user.id}:${verifiedDevice ?? ''}`
  const counted = await attempts.count({ email: user.email, address, device })
  if ('refusal' in counted) return counted
  const { within, retryAfterSeconds } = await limits.count({ key: daily, most: MAX_A_DAY, windowMs: DAY_MS }, now())
  if (!within) {
    await counted.takeBack()
    return { refusal: 'too_many_attempts', retryAfterSeconds }
  }
  const verified = factor && (await use(user.id, factor, code, deps))
  if (!verified) return { refusal: 'wrong_code' }
  await counted.takeBack()
  await limits.uncount(daily)
  return verified
}

async function use(
  userId: string,
  factor: TotpFactor,
  code: string,
  { storage, sealer, now }: FactorCheckDeps,
): Promise<VerifiedFactor | undefined> {
  if (factor.confirmedAt === undefined) return undefined
  const factors = secondFactorStore(storage.db)
  const secret = sealer.open(factor.secretSealed, place(userId))
  const step = secret === undefined ? undefined : findTotpStep(secret, code.replace(/\s/g, ''), now())
  if (step !== undefined) return (await factors.useStep(userId, factor.secretSealed, step)) ? { used: 'totp' } : undefined
  const recovery = parseRecoveryCode(code)
  if (recovery === undefined) return undefined
  const isUsed = await factors.useRecoveryCode(userId, hashRecoveryCode(userId, recovery), now())
  return isUsed ? { used: 'recovery_code', recoveryCodesLeft: await factors.countRecoveryCodes(userId) } : undefined
}

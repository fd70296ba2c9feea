import { DAY_MS } from '../../kit/index.ts'
import type { LimitStore } from '../../rate-limits/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { Attempts, TooManyAttempts } from '../passwords/attempts.ts'
import type { DeviceCookies } from '../passwords/device-cookie.ts'
import type { User } from '../user.ts'
import { hashRecoveryCode, parseRecoveryCode } from './recovery-codes.ts'
import { secondFactorStore, type TotpFactor } from './second-factor-store.ts'
import { findTotpStep } from './totp.ts'
import { type FactorDeps, secretPlace } from './totp-secret.ts'

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
  const secret = sealer.open(factor.secretSealed, secretPlace(userId))
  const step = secret === undefined ? undefined : findTotpStep(secret, code.replace(/\s/g, ''), now())
  if (step !== undefined) return (await factors.useStep(userId, factor.secretSealed, step)) ? { used: 'totp' } : undefined
  const recovery = parseRecoveryCode(code)
  if (recovery === undefined) return undefined
  const isUsed = await factors.useRecoveryCode(userId, hashRecoveryCode(userId, recovery), now())
  return isUsed ? { used: 'recovery_code', recoveryCodesLeft: await factors.countRecoveryCodes(userId) } : undefined
}

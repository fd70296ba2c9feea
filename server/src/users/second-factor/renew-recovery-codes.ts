import { recordAudit } from '../../audit/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { User } from '../user.ts'
import { hasSecondFactor } from './needs-second-factor.ts'
import { hashRecoveryCode, mintRecoveryCodes } from './recovery-codes.ts'
import { secondFactorStore } from './second-factor-store.ts'

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

export async function replaceRecoveryCodes(tx: Transaction, userId: string, at: number): Promise<string[]> {
  const codes = mintRecoveryCodes()
  await secondFactorStore(tx).replaceRecoveryCodes(
    userId,
    codes.map((code) => hashRecoveryCode(userId, code)),
    at,
  )
  return codes
}

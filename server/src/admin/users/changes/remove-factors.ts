import { type Actor, recordAudit } from '../../../audit/index.ts'
import type { ChangeFeed } from '../../../changes/index.ts'
import type { Now } from '../../../kit/index.ts'
import { endSessionsOfUser } from '../../../sessions/index.ts'
import {
  type MailJobDeps,
  mailLanguage,
  mintReportUrl,
  passkeyStore,
  queueMail,
  removeSecondFactor,
  type User,
  type UserRefusal,
} from '../../../users/index.ts'
import { refuseOtherRole } from './refuse-other-role.ts'

interface RemoveFactorsDeps extends Pick<MailJobDeps, 'sealer' | 'codeKey' | 'baseUrl'> {
  changes: ChangeFeed
  now: Now
  actor: Actor
}

/** The removed factors, and the number of ended sessions. */
interface RemovedFactors {
  secondFactor: boolean
  passkeys: number
  ended: number
}

/**
 * For a user who has lost their app, recovery codes and devices, after support has verified their identity: removes the second factor and
 * all passkeys, since the finder of a device has those, and ends every session. The user gets a mail, and the password stays.
 * `nothing_to_remove`: the account has neither, and nothing was done.
 */
export async function removeFactors(
  user: User,
  reason: string,
  deps: RemoveFactorsDeps,
): Promise<RemovedFactors | 'nothing_to_remove' | UserRefusal> {
  const { changes, sealer, actor, now } = deps
  const { id, email, name } = user
  return changes.transaction(async (tx, announce) => {
    const refused = await refuseOtherRole(tx, user)
    if (refused) return refused
    const passkeys = (await passkeyStore(tx).listOfUser(id)).length
    await passkeyStore(tx).removeOfUser(id)
    const secondFactor = await removeSecondFactor(tx, id, { actor, reason, now })
    if (!secondFactor && passkeys === 0) return 'nothing_to_remove'
    const ended = await endSessionsOfUser(tx, id, 'operator', { announce, now })
    await recordAudit(tx, { actor, action: 'user.remove_factors', target: id, reason, after: { secondFactor, passkeys } }, now())
    const data = { name, when: now(), reportUrl: await mintReportUrl(tx, user, deps) }
    await queueMail(tx, { to: email, kind: 'factors_removed', data, language: mailLanguage(user) }, { sealer, at: now() })
    return { secondFactor, passkeys, ended }
  })
}

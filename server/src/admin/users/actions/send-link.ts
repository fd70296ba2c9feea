import { recordAudit } from '../../../audit/index.ts'
import { mailLanguage, queueInvitation, queueRecovery, type User } from '../../../users/index.ts'
import type { AdminAnswer, AdminCall } from '../../api/admin-route.ts'
import type { AdminDeps } from '../../api/deps.ts'
import { refuseBeyond } from '../../api/rate-limits.ts'
import { refuseOtherRole } from '../changes/refuse-other-role.ts'
import { refuseUser, showUserAgain } from '../show-user.ts'
import { limitsOfLink } from './mail-limits.ts'

export async function sendLink(
  user: User,
  { actor, caller }: Pick<AdminCall<unknown, unknown>, 'actor' | 'caller'>,
  deps: AdminDeps,
): Promise<AdminAnswer> {
  const { changes, sealer, invite, now } = deps
  if (!invite) return { refusal: 'conflict', reason: 'no_mail' }
  if (user.disabledAt !== undefined) return { refusal: 'conflict', reason: 'disabled' }
  const tooMany = await refuseBeyond(limitsOfLink(caller, user.id), deps)
  if (tooMany) return tooMany
  const refused = await changes.transaction(async (tx) => {
    const refusedNow = await refuseOtherRole(tx, user)
    if (refusedNow) return refusedNow
    if (user.passwordHash === undefined) await queueInvitation(tx, user, { ...invite, now })
    else await queueRecovery(tx, user.email, { language: mailLanguage(user) }, { sealer, at: now() })
    await recordAudit(tx, { actor, action: 'user.send_link', target: user.id }, now())
    return undefined
  })
  if (refused) return refuseUser(refused)
  deps.outbox.wake()
  return showUserAgain(user, deps)
}

import { removeFactors } from '../../admin/index.ts'
import type { User } from '../../users/index.ts'
import { OPERATOR } from '../command/cli-context.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { userSentence } from '../sentences/user-sentences.ts'

/** `user remove-factors`: lets a user who has lost every factor sign in with only their password again. */
export const removeUserFactors =
  (reason: string) =>
  async (user: User, context: CommandContext): Promise<Outcome> => {
    const { id, email } = user
    const { changes, sealer, masterKeys, config, now } = context
    const deps = { changes, sealer, codeKey: masterKeys.ticketCode, baseUrl: config.baseUrl, now, actor: OPERATOR }
    const removed = await removeFactors(user, reason, deps)
    if (removed === 'nothing_to_remove') return { complaint: `${email} has no second factor and no passkey` }
    if ('refusal' in removed) return { complaint: userSentence(removed) }
    const { secondFactor, passkeys, ended } = removed
    const gone = [
      secondFactor && 'the second factor with its recovery codes',
      passkeys > 0 && `${passkeys} passkey${passkeys === 1 ? '' : 's'}`,
    ]
    return {
      json: { id, email, second_factor_removed: secondFactor, passkeys_removed: passkeys, sessions_ended: ended },
      text: `Removed ${gone.filter(Boolean).join(' and ')} of ${email}; ${ended} session${ended === 1 ? '' : 's'} ended. The user gets a mail, and signs in with their password or provider.`,
    }
  }

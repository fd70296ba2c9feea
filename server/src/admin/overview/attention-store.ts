import type { Queryable } from '../../storage/index.ts'

/** What the operator's own things need. */
export function attentionStore(db: Queryable) {
  return {
    /** How many jobs were given up, and since when the first of them has been. */
    async countDeadJobs(): Promise<{ count: number; since: number | undefined }> {
      const { count, since } = await db
        .selectFrom('outbox')
        .select((e) => [e.fn.countAll().as('count'), e.fn.min('dead_at').as('since')])
        .where('dead_at', 'is not', null)
        .executeTakeFirstOrThrow()
      return { count: Number(count), since: since ?? undefined }
    },
    /** Keys of scripts that end between two times (ms), and when the first does. */
    async countEndingTokens(from: number, until: number): Promise<{ count: number; first: number | undefined }> {
      const { count, first } = await db
        .selectFrom('admin_tokens')
        .select((e) => [e.fn.countAll().as('count'), e.fn.min('expires_at').as('first')])
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', from)
        .where('expires_at', '<=', until)
        .executeTakeFirstOrThrow()
      return { count: Number(count), first: first ?? undefined }
    },
    /** People with power who sign in with a password, or a provider, alone. */
    async countUnguardedAdministrators(): Promise<number> {
      const { count } = await db
        .selectFrom('users')
        .select((e) => e.fn.countAll().as('count'))
        .where('role', 'is not', null)
        .where('disabled_at', 'is', null)
        .where((e) =>
          e.not(
            e.exists(
              e.selectFrom('totp_factors').whereRef('user_id', '=', 'users.id').where('confirmed_at', 'is not', null).select('user_id'),
            ),
          ),
        )
        .where((e) => e.not(e.exists(e.selectFrom('passkeys').whereRef('user_id', '=', 'users.id').select('user_id'))))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

import type { Account, FindAccount } from 'oidc-provider'
import type { OpenIdDeps } from './deps.ts'

type SourceToken = Parameters<FindAccount>[2]

/**
 * The user of a code or token, as the client's session shows them at this moment; `undefined` once that session has ended. Without a token
 * it is the browser's user, whose claims nobody reads.
 */
export async function findAccount(
  sub: string,
  token: SourceToken,
  { sessions, users }: Pick<OpenIdDeps, 'sessions' | 'users'>,
): Promise<Account | undefined> {
  const sessionId = token && 'grantId' in token ? token.grantId : undefined
  if (sessionId === undefined) return { accountId: sub, claims: async () => ({ sub }) }
  const session = await sessions.find(sessionId)
  if (!session || session.userId !== sub) return undefined
  const { name, email, avatarUrl, planSlug, isBeta, isProducer } = session.claims
  return {
    accountId: sub,
    async claims(_use, scope, asked) {
      // The claim may be asked for by the scope, or by itself (Core §5.5).
      const isAsked = scope.split(' ').includes('email') || 'email_verified' in (asked ?? {})
      const isVerified = email !== undefined && isAsked && (await users.findById(sub))?.emailVerifiedAt !== undefined
      return {
        sub,
        name,
        ...(avatarUrl !== undefined && { picture: avatarUrl }),
        ...(email !== undefined && { email, email_verified: isVerified }),
        plan_slug: planSlug ?? null,
        is_beta: isBeta,
        is_producer: isProducer,
      }
    },
  }
}

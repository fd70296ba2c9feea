import { userSessionStore } from '../sessions/index.ts'
import type { Queryable } from '../storage/index.ts'
import { betaUserStore, consentStore, failedSignInStore, type NdaAcceptance, type Sharing, ticketStore, type User } from '../users/index.ts'
import { isoTime } from './labels.ts'

/** Rows of each list, the newest ones: far beyond any user, and a bound in case of a fault. */
export const MOST = 10_000

/** A user's agreements, with their time and origin. */
export async function readConsents(db: Queryable, { id, beta }: User) {
  const nda = await betaUserStore(db).findNda(id)
  const sharings = await consentStore(db).listSharings(id, { limit: MOST })
  return { beta_user: beta !== undefined, nda: nda === undefined ? null : ndaJson(nda), sharings: sharings.map(sharingJson) }
}

function ndaJson({ at, version, textHash, ip, userAgent }: NdaAcceptance) {
  return { version, text_sha256: textHash, accepted_at: isoTime(at), ip, user_agent: userAgent }
}

function sharingJson({ product, scopes, grantedAt, ip, userAgent }: Sharing) {
  return { product, scopes, granted_at: isoTime(grantedAt), ip, user_agent: userAgent }
}

export async function readSessions(db: Queryable, userId: string) {
  return (await userSessionStore(db).listOfUser(userId, MOST)).map((row) => ({
    id: row.id,
    product: row.product,
    begun_at: isoTime(row.created_at),
    last_seen_at: isoTime(row.last_seen_at ?? undefined),
    expires_at: isoTime(row.expires_at),
    ended_at: isoTime(row.ended_at ?? undefined),
    ended_reason: row.ended_reason,
    sign_in_method: row.sign_in_method,
    // An administrator who impersonated the user: the address is the administrator's.
    by: row.impersonator_id === null ? 'you' : 'operator',
    ip: row.impersonator_id === null ? row.ip : null,
    user_agent: row.impersonator_id === null ? row.user_agent : null,
  }))
}

/** Without their origins, which may be somebody else's. */
export async function readFailedSignIns(db: Queryable, userId: string) {
  return (await failedSignInStore(db).listOfUser(userId, MOST)).map(({ kind, provider, count, failed_at }) => ({
    ...{ kind, provider, count },
    failed_at: isoTime(failed_at),
  }))
}

/** Mailed and not used yet; the address may be a new one that stands nowhere else. */
export async function readLinks(db: Queryable, userId: string) {
  return (await ticketStore(db).listOfUser(userId, MOST)).map(({ purpose, email, createdAt, expiresAt }) => ({
    purpose,
    email,
    made_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
  }))
}

import { prepare, type Queryable } from '../../storage/index.ts'

/** The state of each page of an account. Times in ms. */
export interface Overview {
  hasPassword: boolean
  /** `undefined` where it never changed, or changed before such changes were noted. */
  passwordChangedAt: number | undefined
  secondFactorSince: number | undefined
  passkeys: number
  providers: number
  /** Browsers that are signed in. */
  sessions: number
  sharings: number
}

/** An app that the user has opened, shares data with or has bought. */
export interface OwnApp {
  id: string
  name: string
  /** The app's first page, as far as the service knows it; `undefined` for an app on a device. */
  home: string | undefined
}

/** Far beyond any family of apps. */
const MAX_APPS = 40

const selectOverview = prepare((db: Queryable, { userId, now }: { userId: string; now: number }) =>
  db
    .selectFrom('users')
    .where('users.id', '=', userId)
    .select(['password_hash', 'password_changed_at'])
    .select((e) => [
      e.selectFrom('totp_factors').select('confirmed_at').where('user_id', '=', userId).as('factor_since'),
      e
        .selectFrom('passkeys')
        .select((c) => c.fn.countAll<number>().as('n'))
        .where('user_id', '=', userId)
        .as('passkeys'),
      e
        .selectFrom('identities')
        .select((c) => c.fn.countAll<number>().as('n'))
        .where('user_id', '=', userId)
        .as('providers'),
      e
        .selectFrom('consents')
        .select((c) => c.fn.countAll<number>().as('n'))
        .where('user_id', '=', userId)
        .as('sharings'),
      e
        .selectFrom('sessions')
        .select((c) => c.fn.countAll<number>().as('n'))
        .where('user_id', '=', userId)
        .where('product_id', 'is', null)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .as('sessions'),
    ]),
)

/** The facts about an account's other pages that its first page shows: two statements, whatever the user has. */
export function overviewStore(db: Queryable) {
  return {
    async find(userId: string, now: number): Promise<Overview> {
      const { rows } = await selectOverview(db, { userId, now })
      const row = rows[0]
      return {
        hasPassword: typeof row?.password_hash === 'string',
        passwordChangedAt: row?.password_changed_at ?? undefined,
        secondFactorSince: row?.factor_since ?? undefined,
        passkeys: Number(row?.passkeys ?? 0),
        providers: Number(row?.providers ?? 0),
        sessions: Number(row?.sessions ?? 0),
        sharings: Number(row?.sharings ?? 0),
      }
    },
    /** By name. An app that has several addresses begins at the oldest one. */
    async listApps(userId: string, { now, baseUrl }: { now: number; baseUrl: string }): Promise<OwnApp[]> {
      const rows = await db
        .selectFrom('products')
        .select(['products.id', 'products.name'])
        .select((e) => [
          e
            .selectFrom('redirect_uris')
            .select('uri')
            .whereRef('product_id', '=', 'products.id')
            .where('uri', 'like', 'http%')
            .orderBy('created_at')
            .orderBy('uri')
            .limit(1)
            .as('uri'),
          e
            .selectFrom('forward_auth_hosts')
            .select('host')
            .whereRef('product_id', '=', 'products.id')
            .orderBy('created_at')
            .limit(1)
            .as('host'),
        ])
        .where('products.id', 'in', idsOfApps(db, userId, now))
        .orderBy('products.name')
        .limit(MAX_APPS)
        .execute()
      return rows.map(({ id, name, uri, host }) => ({ id, name, home: homeOf(uri, host, baseUrl) }))
    },
  }
}

/** The products of a user: opened, with a session or a consent, or bought and not over. */
function idsOfApps(db: Queryable, userId: string, now: number) {
  const inSessions = db.selectFrom('sessions').select('product_id').where('user_id', '=', userId).where('product_id', 'is not', null)
  const bought = db
    .selectFrom('subscriptions')
    .select('product_id')
    .where('user_id', '=', userId)
    .where('product_id', 'is not', null)
    .where((e) => e.or([e('access_until', 'is', null), e('access_until', '>', now)]))
  return db
    .selectFrom('opened_apps')
    .select('product_id')
    .where('user_id', '=', userId)
    .union(db.selectFrom('consents').select('product_id').where('user_id', '=', userId))
    .union(inSessions.$castTo<{ product_id: string }>())
    .union(bought.$castTo<{ product_id: string }>())
}

/** The page at which an app begins: its host behind a proxy, or the origin to which its sign-ins return. */
function homeOf(uri: string | null, host: string | null, baseUrl: string): string | undefined {
  if (host !== null) return `${new URL(baseUrl).protocol}//${host}/`
  return uri !== null && URL.canParse(uri) ? `${new URL(uri).origin}/` : undefined
}

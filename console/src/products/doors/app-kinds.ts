/** How an app signs users in: with our client, by OpenID Connect, or behind a proxy that asks. */
export const appDoors = ['client', 'openid', 'forward_auth'] as const
export type AppDoor = (typeof appDoors)[number]

/** The apps that there are lines to paste for, by the API's names. */
export const appKinds = [
  'client',
  'openid',
  'grafana',
  'wordpress',
  'nextcloud',
  'metabase',
  'authjs',
  'spa',
  'native',
  'nginx',
  'caddy',
  'traefik',
] as const
export type AppKind = (typeof appKinds)[number]

interface AppFacts {
  door: AppDoor
  /** The settings to begin with. */
  openid?: { kind: 'web' | 'browser' | 'native'; pkce: 'required' | 'optional' }
  /** The part of the redirect URI that the app decides itself. */
  callbackPath?: string
}

const web = { kind: 'web', pkce: 'required' } as const

/** The same as the service has them (server/src/products/snippets/snippet-kinds.ts); a test compares the two. */
export const appFacts: Readonly<Record<AppKind, AppFacts>> = {
  client: { door: 'client', callbackPath: '/auth/callback' },
  openid: { door: 'openid', openid: web },
  grafana: { door: 'openid', openid: web, callbackPath: '/login/generic_oauth' },
  wordpress: {
    door: 'openid',
    openid: { kind: 'web', pkce: 'optional' },
    callbackPath: '/wp-admin/admin-ajax.php?action=openid-connect-authorize',
  },
  nextcloud: { door: 'openid', openid: web, callbackPath: '/apps/user_oidc/code' },
  metabase: { door: 'openid', openid: web, callbackPath: '/auth/sso' },
  authjs: { door: 'openid', openid: web, callbackPath: '/api/auth/callback/portaria' },
  spa: { door: 'openid', openid: { kind: 'browser', pkce: 'required' }, callbackPath: '/callback' },
  native: { door: 'openid', openid: { kind: 'native', pkce: 'required' }, callbackPath: '/callback' },
  nginx: { door: 'forward_auth' },
  caddy: { door: 'forward_auth' },
  traefik: { door: 'forward_auth' },
}

/** The kinds behind one door. */
export function kindsOf(door: AppDoor): AppKind[] {
  return appKinds.filter((kind) => appFacts[kind].door === door)
}

import type { OpenIdSettings } from '../openid/openid-settings.ts'

/** The apps that lines to paste exist for, by how they sign users in. */
export const SNIPPET_KINDS = [
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
export type SnippetKind = (typeof SNIPPET_KINDS)[number]

/** An app's way to sign users in: our client, OpenID Connect, or a proxy that asks. */
export type SnippetDoor =
  | { door: 'client'; callbackPath: string }
  | { door: 'openid'; openid: Pick<OpenIdSettings, 'kind' | 'pkce'>; callbackPath: string | undefined }
  | { door: 'forward_auth' }

const web = { kind: 'web', pkce: 'required' } as const

/** `callbackPath`: the part of the redirect URI that the app decides itself. */
export const SNIPPET_DOORS: Readonly<Record<SnippetKind, SnippetDoor>> = {
  client: { door: 'client', callbackPath: '/auth/callback' },
  openid: { door: 'openid', openid: web, callbackPath: undefined },
  grafana: { door: 'openid', openid: web, callbackPath: '/login/generic_oauth' },
  // The plugin sends no code_challenge by itself.
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

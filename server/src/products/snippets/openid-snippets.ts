import { SECRET_PLACEHOLDER, type Snippet, type SnippetSettings } from './snippet.ts'
import type { SnippetKind } from './snippet-kinds.ts'

interface Facts extends Pick<SnippetSettings, 'product'> {
  issuer: string
  redirectUri: string
}

type Parts = Pick<Snippet, 'values' | 'files'>

/** The lines of an app that speaks OpenID Connect. */
export function openIdSnippet(kind: SnippetKind, facts: Facts): Parts {
  const { issuer, product, redirectUri } = facts
  const id = product.publishableKey
  if (kind === 'grafana') return { values: [], files: [{ name: 'grafana.ini', lines: grafana(issuer, id) }] }
  if (kind === 'nextcloud') return { values: [], files: [{ name: 'occ', lines: nextcloud(issuer, id) }] }
  if (kind === 'authjs') return { values: [], files: authjs(issuer, id) }
  if (kind === 'spa') return { values: [], files: [{ name: 'users.ts', lines: singlePage(facts) }] }
  if (kind === 'wordpress') return { values: wordpress(issuer, id), files: [] }
  if (kind === 'metabase')
    return {
      values: named({ 'Issuer URI': issuer, 'Client ID': id, 'Client Secret': SECRET_PLACEHOLDER, Scopes: 'openid profile email' }),
      files: [],
    }
  const secret: Record<string, string> = product.openid?.kind === 'web' ? { client_secret: SECRET_PLACEHOLDER } : {}
  const scope = 'openid profile email portaria offline_access'
  return { values: named({ issuer, client_id: id, ...secret, redirect_uri: redirectUri, scope }), files: [] }
}

function named(values: Record<string, string>): Snippet['values'] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

function grafana(issuer: string, id: string): string {
  return `[auth.generic_oauth]
enabled = true
name = Portaria
client_id = ${id}
client_secret = ${SECRET_PLACEHOLDER}
scopes = openid profile email portaria offline_access
auth_url = ${issuer}/openid/authorize
token_url = ${issuer}/openid/token
api_url = ${issuer}/openid/userinfo
use_pkce = true
use_refresh_token = true
login_attribute_path = email
role_attribute_path = is_producer && 'Editor' || 'Viewer'
signout_redirect_url = ${issuer}/openid/logout`
}

/** The plugin is OpenID Connect Generic Client. */
function wordpress(issuer: string, id: string): Snippet['values'] {
  return named({
    'Login Type': 'OpenID Connect button on login form',
    'Client ID': id,
    'Client Secret Key': SECRET_PLACEHOLDER,
    'OpenID Scope': 'openid profile email',
    'Login Endpoint URL': `${issuer}/openid/authorize`,
    'Userinfo Endpoint URL': `${issuer}/openid/userinfo`,
    'Token Validation Endpoint URL': `${issuer}/openid/token`,
    'End Session Endpoint URL': `${issuer}/openid/logout`,
    'Identity Key': 'sub',
    'Nickname Key': 'name',
    'Email Formatting': '{email}',
    'Display Name Formatting': '{name}',
  })
}

function nextcloud(issuer: string, id: string): string {
  return `occ app:install user_oidc
occ user_oidc:provider portaria --clientid=${id} --clientsecret=${SECRET_PLACEHOLDER} \\
  --discoveryuri=${issuer}/.well-known/openid-configuration \\
  --scope="openid profile email" --unique-uid=0 --mapping-uid=sub --mapping-display-name=name --mapping-email=email`
}

function authjs(issuer: string, id: string): Snippet['files'] {
  const code = `import NextAuth from 'next-auth'

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'portaria',
      name: 'Portaria',
      type: 'oidc',
      issuer: '${issuer}',
      clientId: process.env.AUTH_PORTARIA_ID,
      clientSecret: process.env.AUTH_PORTARIA_SECRET,
      authorization: { params: { scope: 'openid profile email portaria' } },
      checks: ['pkce', 'state', 'nonce'],
    },
  ],
  callbacks: {
    // Asks Portaria once a minute. \`null\` ends the session: the user has signed out there, or the hour of the token is over.
    async jwt({ token, account }) {
      if (account) return { ...token, accessToken: account.access_token, askAt: Date.now() + 60_000 }
      if (Date.now() < Number(token.askAt)) return token
      const headers = { authorization: \`Bearer \${token.accessToken}\` }
      const signal = AbortSignal.timeout(2_000)
      const answer = await fetch('${issuer}/openid/userinfo', { headers, signal }).catch(() => null)
      if (answer?.status === 401) return null
      // No answer, a 429 or a 503 says nothing about the user: the session stays, and Portaria is asked again in ten seconds.
      return { ...token, askAt: Date.now() + (answer?.ok ? 60_000 : 10_000) }
    },
  },
})`
  return [
    { name: '.env', lines: `AUTH_PORTARIA_ID=${id}\nAUTH_PORTARIA_SECRET=${SECRET_PLACEHOLDER}` },
    { name: 'auth.ts', lines: code },
  ]
}

function singlePage({ issuer, product, redirectUri }: Facts): string {
  const [after] = product.openid?.postLogoutUris ?? []
  return `import { UserManager } from 'oidc-client-ts'

export const users = new UserManager({
  authority: '${issuer}',
  client_id: '${product.publishableKey}',
  redirect_uri: '${redirectUri}',
  post_logout_redirect_uri: '${after ?? new URL('/', redirectUri).href}',
  scope: 'openid profile email offline_access',
})`
}

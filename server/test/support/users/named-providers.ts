import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose'

const HALF_A_YEAR_SECONDS = 15_777_000

/** Apple, Facebook and GitHub as their documents describe them, without screens. Each request that they would refuse is refused. */
export interface NamedProvider {
  issuer: string
  clientId: string
  /** The operator's client secret; for Apple the team's key, from which client secrets are made. */
  clientSecret: string
  /** Claims of the next ID token beside those of every one; of GitHub the user and the addresses. */
  next: Record<string, unknown>
  /** The client secrets that were taken. */
  secrets: string[]
  /**
   * Goes through the provider as a browser would. Answers the callback: of Apple the fields of the form that its page posts, of the others
   * the address.
   */
  walk(authorization: URL): Promise<URL | URLSearchParams>
}

type Kind = 'apple' | 'facebook' | 'github'
interface Given {
  challenge: string
  nonce: string | null
  scopes: ReadonlySet<string>
}
type Reply = { status?: number; body: unknown; location?: string }

/** `host`: on another one than the service's it is another site for a browser. */
export async function startNamedProvider(
  kind: Kind,
  callbackUrl: string,
  host: 'localhost' | '127.0.0.1' = 'localhost',
): Promise<NamedProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`
  const signing = await generateKeyPair('RS256', { extractable: true })
  const team = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const privateKey = team.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const plainSecret = randomBytes(16).toString('hex')
  const codes = new Map<string, Given>()
  const state: NamedProvider = {
    issuer,
    clientId: 'com.example.sso',
    clientSecret: kind === 'apple' ? JSON.stringify({ team_id: 'TEAM123456', key_id: 'KEY1234567', private_key: privateKey }) : plainSecret,
    next: {},
    secrets: [],
    async walk(authorization) {
      const answer = await fetch(authorization, { redirect: 'manual' })
      const location = answer.headers.get('location')
      if (location !== null) return new URL(location)
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
      return new URLSearchParams(
        [...text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']): [string, string] => [name, value]),
      )
    },
  }

  function authorize(query: URLSearchParams): Reply {
    const scopes = new Set((query.get('scope') ?? '').split(' '))
    const refuse = (body: string) => ({ status: 400, body })
    if (query.get('client_id') !== state.clientId || query.get('redirect_uri') !== callbackUrl) return refuse('invalid_client')
    if (query.get('response_type') !== 'code') return refuse('unsupported_response_type')
    const known = {
      apple: ['openid', 'email', 'name'],
      facebook: ['openid', 'email', 'public_profile'],
      github: ['read:user', 'user:email'],
    }
    if ([...scopes].some((scope) => !known[kind].includes(scope))) return refuse('invalid_scope')
    const code = randomBytes(12).toString('hex')
    codes.set(code, { challenge: query.get('code_challenge') ?? '', nonce: query.get('nonce'), scopes })
    const answer: Record<string, string> = { state: query.get('state') ?? '', code }
    if (kind !== 'apple') return { status: 302, body: '', location: `${callbackUrl}?${new URLSearchParams(answer)}` }
    if (query.get('response_mode') !== 'form_post') return refuse('invalid_request: response_mode must be form_post')
    const fields = Object.entries(answer).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    return { body: `<body onload="document.forms[0].submit()"><form method="post" action="${callbackUrl}">${fields.join('')}</form>` }
  }

  async function token(form: URLSearchParams): Promise<Reply> {
    const secret = form.get('client_secret') ?? ''
    // GitHub says so with 200.
    const refuse = (error: string) => ({ status: kind === 'github' ? 200 : 400, body: { error } })
    if (!(await isOurs(secret)) || form.get('client_id') !== state.clientId)
      return refuse(kind === 'github' ? 'incorrect_client_credentials' : 'invalid_client')
    const given = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    // Apple knows nothing of PKCE, and ignores it.
    if (!given || form.get('redirect_uri') !== callbackUrl || (kind !== 'apple' && given.challenge !== verifier))
      return refuse(kind === 'github' ? 'bad_verification_code' : 'invalid_grant')
    state.secrets.push(secret)
    const common = { access_token: 'an-access-token', token_type: kind === 'github' ? 'bearer' : 'Bearer' }
    if (kind === 'github') return { body: { ...common, scope: 'read:user,user:email' } }
    return { body: { ...common, expires_in: 3600, id_token: await idToken(given) } }
  }

  /** Apple: a JWT of the team's key, about this client, for Apple, and no longer than it allows. */
  async function isOurs(secret: string): Promise<boolean> {
    if (kind !== 'apple') return secret === plainSecret
    const rules = { algorithms: ['ES256'], issuer: 'TEAM123456', subject: state.clientId, audience: issuer, requiredClaims: ['exp', 'iat'] }
    const read = await jwtVerify(secret, team.publicKey, rules).catch(() => undefined)
    const { iat = 0, exp = Number.POSITIVE_INFINITY } = read?.payload ?? {}
    return read?.protectedHeader.kid === 'KEY1234567' && exp - iat <= HALF_A_YEAR_SECONDS
  }

  /** An address is given only to those who have asked for it. */
  function idToken({ nonce, scopes }: Given): Promise<string> {
    const claims: JWTPayload = { ...(nonce !== null && { nonce }), ...state.next }
    if (!scopes.has('email')) delete claims.email
    return new SignJWT({ iss: issuer, aud: state.clientId, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(signing.privateKey)
  }

  const keys = async () => ({ keys: [{ ...(await exportJWK(signing.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] })
  const described = {
    issuer,
    jwks_uri: `${issuer}/keys`,
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
  const paths: Record<Kind, Record<string, (query: URLSearchParams, request: IncomingMessage) => Reply | Promise<Reply>>> = {
    apple: {
      'GET /.well-known/openid-configuration': () => ({
        body: {
          ...described,
          authorization_endpoint: `${issuer}/auth/authorize`,
          token_endpoint: `${issuer}/auth/token`,
          response_types_supported: ['code'],
          response_modes_supported: ['query', 'fragment', 'form_post'],
          token_endpoint_auth_methods_supported: ['client_secret_post'],
        },
      }),
      'GET /auth/authorize': authorize,
      'POST /auth/token': token,
    },
    facebook: {
      'GET /.well-known/openid-configuration': () => ({
        body: {
          ...described,
          authorization_endpoint: `${issuer}/dialog/oauth`,
          response_types_supported: ['id_token', 'token id_token'],
        },
      }),
      'GET /dialog/oauth': authorize,
      'POST /oauth/access_token': token,
    },
    github: {
      'GET /login/oauth/authorize': authorize,
      'POST /login/oauth/access_token': token,
      'GET /api/v3/user': (_query, request) => ofUser(request, state.next.user),
      'GET /api/v3/user/emails': (_query, request) => ofUser(request, state.next.emails),
    },
  }

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', issuer)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const given = request.method === 'POST' ? new URLSearchParams(Buffer.concat(chunks).toString()) : url.searchParams
    const work = url.pathname === '/keys' ? async () => ({ body: await keys() }) : paths[kind][`${request.method} ${url.pathname}`]
    const { status = 200, body, location }: Reply = (await work?.(given, request)) ?? { status: 404, body: {} }
    const isPage = typeof body === 'string'
    response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json', ...(location && { location }) })
    response.end(isPage ? body : JSON.stringify(body))
  }
  server.on('request', (request, response) => void serve(request, response))
  after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return state
}

/** GitHub answers nobody who does not say what asks. */
function ofUser({ headers }: IncomingMessage, body: unknown): Reply {
  if (!headers['user-agent']) return { status: 403, body: {} }
  return headers.authorization?.toLowerCase() === 'bearer an-access-token' ? { body } : { status: 401, body: {} }
}

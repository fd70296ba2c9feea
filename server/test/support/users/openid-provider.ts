import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import Provider, { type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider'

export interface User {
  subject: string
  email?: string
  email_verified?: unknown
  name?: string
}

export interface TestProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** The user who signs in at the next interaction; `'cancel'` refuses it. */
  next: User | 'cancel'
  /** Changes the claims of ID tokens on their way out, signed with the provider's own key: what a lying or broken provider would send. */
  tamper: ((claims: JWTPayload) => JWTPayload) | undefined
  /** `slow`: answers after 300 ms; `hang`: never; `cut`: ends in the middle; `down`: ends before the beginning; `rubbish`: answers HTML. */
  mood: 'well' | 'slow' | 'hang' | 'cut' | 'down' | 'rubbish'
  /** The one path that the mood is for; `undefined`: all of them. */
  moodAt: '/.well-known/openid-configuration' | '/token' | '/jwks' | '/me' | undefined
  /** Signs claims with the provider's own key, as it does a JWT access token (RFC 9068). */
  sign(claims: JWTPayload, header?: { typ?: string }): Promise<string>
  /** Calls of the token endpoint so far. */
  tokenCalls: number
  /** How often a user has typed a password there so far. */
  signIns: number
  /**
   * Goes through the provider as a browser would, from the authorization address to the redirect back; answers the callback's address.
   * `cookies`: those that the browser keeps of the provider, and with them the user's session there.
   */
  walk(authorizationUrl: string, cookies?: Map<string, string>): Promise<URL>
  stop(): Promise<void>
}

const SLOW_MS = 300

/** Keys of providers that have stopped. Each takes a tenth of a second of the CPU to make; no two providers that run share one. */
const spareKeys: JWK[] = []

/** A real OpenID provider (oidc-provider, certified) on a free port, whose users sign in without a screen. */
export async function startProvider(
  callbackUrl: string,
  options: { configuration?: Configuration; port?: number } = {},
): Promise<TestProvider> {
  const jwk = spareKeys.pop() ?? (await makeKey())
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, 'localhost', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const users = new Map<string, User>()
  const provider = new Provider(issuer, {
    adapter: memoryAdapter(),
    clients: [
      {
        client_id: 'portaria',
        client_secret: 'a-client-secret-of-the-tests',
        redirect_uris: [callbackUrl],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [jwk] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...claimsOf(users.get(id)) }) }),
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ['a cookie key of the tests'] },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, IdToken: 3600, Interaction: 3600, Session: 3600, Grant: 3600 },
    ...options.configuration,
  } as Configuration)
  const handle = provider.callback()
  const state: TestProvider = {
    issuer,
    clientId: 'portaria',
    clientSecret: 'a-client-secret-of-the-tests',
    next: { subject: 'nobody' },
    tamper: undefined,
    mood: 'well',
    moodAt: undefined,
    async sign(claims, { typ = 'at+jwt' } = {}) {
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test-key', typ }).sign(await importJWK(jwk, 'RS256'))
    },
    tokenCalls: 0,
    signIns: 0,
    walk: (url, cookies) => walk(url, callbackUrl, cookies),
    stop: async () => {
      spareKeys.push(jwk)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  server.on('request', (request, response) => {
    if (request.url === '/token') state.tokenCalls++
    const mood = state.moodAt === undefined || state.moodAt === request.url ? state.mood : 'well'
    if (mood === 'hang') return
    if (mood === 'down') return void request.socket.destroy()
    if (mood === 'cut')
      return void response.writeHead(200, { 'content-type': 'application/json' }).write('{', () => request.socket.destroy())
    if (mood === 'rubbish') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
    if (request.url?.startsWith('/interaction/')) return void interact(request, response)
    if (request.url === '/token' && state.tamper) tamperWith(response, state.tamper)
    if (mood === 'slow') return void setTimeout(() => void handle(request, response), SLOW_MS)
    void handle(request, response)
  })

  async function interact(...[request, response]: Parameters<Provider['interactionDetails']>): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    const user = state.next
    if (user === 'cancel') return provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'no' })
    if (prompt.name === 'login') {
      users.set(user.subject, user)
      state.signIns++
      return provider.interactionFinished(request, response, { login: { accountId: user.subject } })
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? user.subject, clientId: String(params.client_id) })
    grant.addOIDCScope('openid email profile')
    const grantId = await grant.save()
    return provider.interactionFinished(request, response, { consent: { grantId } }, { mergeWithLastSubmission: true })
  }

  /** Rewrites the `id_token` of a token answer. */
  function tamperWith(response: import('node:http').ServerResponse, change: (claims: JWTPayload) => JWTPayload): void {
    const end = response.end.bind(response)
    const rewrite = async (body: string) => {
      const answer = JSON.parse(body)
      if (answer.id_token) {
        const key = await importJWK(jwk, 'RS256')
        answer.id_token = await new SignJWT(change(decodeJwt(answer.id_token)))
          .setProtectedHeader({ alg: 'RS256', kid: 'test-key' })
          .sign(key)
      }
      const text = JSON.stringify(answer)
      response.setHeader('content-length', Buffer.byteLength(text))
      end(text)
    }
    response.end = ((body?: string | Buffer) => {
      rewrite(String(body ?? '')).catch((error) => response.destroy(error))
      return response
    }) as typeof response.end
  }

  after(state.stop)
  return state
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'test-key', alg: 'RS256', use: 'sig' }
}

/** Keeps what the library keeps for the length of a test. Its own memory is the same with a warning. */
function memoryAdapter(): (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>()
  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`
    const findBy = (name: 'uid' | 'userCode', value: string) =>
      [...kept].find(([key, payload]) => key.startsWith(keyOf('')) && payload[name] === value)?.[1]
    return {
      upsert: async (id, payload) => void kept.set(keyOf(id), payload),
      find: async (id) => kept.get(keyOf(id)),
      findByUid: async (uid) => findBy('uid', uid),
      findByUserCode: async (userCode) => findBy('userCode', userCode),
      consume: async (id) => {
        const payload = kept.get(keyOf(id))
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => void kept.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}

function claimsOf(user: User | undefined): Record<string, unknown> {
  const { subject: _subject, ...claims } = user ?? { subject: '' }
  return claims
}

/** Follows the provider's own redirects with a cookie jar until it sends the browser back. */
async function walk(authorizationUrl: string, callbackUrl: string, jar = new Map<string, string>()): Promise<URL> {
  let url = new URL(authorizationUrl)
  for (let hops = 0; hops < 12; hops++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1)
      const at = pair.indexOf('=')
      if (/expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`the provider stopped with ${answer.status}: ${(await answer.text()).slice(0, 400)}`)
    url = new URL(location, url)
    if (url.href.startsWith(callbackUrl)) return url
  }
  throw new Error('the provider redirects without end')
}

import * as oidc from 'openid-client'
import { changeProduct, type OpenIdSettings, type ProductChange } from '../../../src/products/index.ts'
import type { Answer, Browser } from '../browser.ts'
import { PASSWORD, type TestService } from '../service.ts'

/** A product that speaks OpenID Connect, and the real client library (`openid-client`) set up for it. */
export interface OpenIdApp {
  productId: string
  slug: string
  clientId: string
  secret: string
  redirectUri: string
  client: oidc.Configuration
}

let apps = 0

export async function openIdApp(
  service: TestService,
  {
    openid = {},
    change = {},
    ...input
  }: { openid?: Partial<OpenIdSettings>; change?: ProductChange } & Omit<Partial<Parameters<TestService['product']>[0]>, 'openid'> = {},
): Promise<OpenIdApp> {
  const slug = input.slug ?? `app-${++apps}`
  const redirectUri = input.uris?.[0] ?? `https://${slug}.example/callback`
  const { product, apiKey } = await service.product({ audience: 'internal', ...input, slug, uris: input.uris ?? [redirectUri] })
  const kind = openid.kind ?? 'web'
  const changed = await changeProduct(slug, { ...change, openid: { ...openid, kind } }, { ...service.context, actor: 'operator:test' })
  if ('refusal' in changed) throw new Error(changed.refusal)
  const clientId = product.publishableKey
  const authentication = kind === 'web' ? oidc.ClientSecretBasic(apiKey) : oidc.None()
  const metadata = { id_token_signed_response_alg: openid.idTokenAlg ?? 'RS256' }
  const client = await oidc.discovery(new URL(service.url), clientId, metadata, authentication, { execute: [oidc.allowInsecureRequests] })
  return { productId: product.id, slug, clientId, secret: apiKey, redirectUri, client }
}

/** A request that the client library has begun, with what it checks the answer against. */
export interface Begun {
  url: URL
  verifier: string
  state: string
  nonce: string
}

export async function begin({ client, redirectUri }: OpenIdApp, parameters: Record<string, string> = {}): Promise<Begun> {
  const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()]
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope: 'openid profile email portaria',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  })
  // Without the scope openid a request may have no nonce.
  if (parameters.nonce === '') url.searchParams.delete('nonce')
  return { url, verifier, state, nonce }
}

/** Opens the request in a browser, signs in where that is asked, and goes on to the client's callback. */
export async function authorize(browser: Browser, begun: Pick<Begun, 'url'>, email?: string): Promise<URL> {
  const answer = await walk(browser, await browser.get(begun.url.pathname + begun.url.search), email)
  if (!answer.location) throw new Error(`no callback: ${answer.status} ${answer.text.slice(0, 400)}`)
  return answer.location
}

/** Follows our own pages, signing in once and going on where a page asks, to the first answer that leads away or stays. */
export async function walk(browser: Browser, first: Answer, email?: string): Promise<Answer> {
  const page = await browser.follow(first)
  const goOn = continueLink(page)
  if (goOn !== undefined) return browser.follow(await browser.get(goOn))
  const flow = /action="\/login"[\s\S]*?name="flow" value="([^"]+)"/.exec(page.text)?.[1]
  if (page.status !== 200 || flow === undefined || email === undefined) return page
  return walk(browser, await browser.submit('/login', { flow, email, password: PASSWORD }))
}

/** The link of a page that asks before it goes on to a client: to share data, or to continue as a user. */
export function continueLink({ text }: Answer): string | undefined {
  const link = /<a class="button" href="(\/(?:auth\/continue|openid\/authorize)[^"]+)"/.exec(text)?.[1]
  return link?.replaceAll('&#61;', '=')
}

/** The tokens for a callback, with all that the client library checks. */
export function redeem({ client }: OpenIdApp, callback: URL, { verifier, state, nonce }: Begun, parameters?: Record<string, string>) {
  return oidc.authorizationCodeGrant(
    client,
    callback,
    { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
    parameters,
  )
}

/** A whole sign-in of a user to an app. */
export async function signInTo(app: OpenIdApp, browser: Browser, email: string, parameters: Record<string, string> = {}) {
  const begun = await begin(app, parameters)
  return redeem(app, await authorize(browser, begun, email), begun)
}

/** A token request by hand, as no library would make it. */
export function tokenRequest(
  service: Pick<TestService, 'browser'>,
  { clientId, secret }: Pick<OpenIdApp, 'clientId' | 'secret'>,
  fields: Record<string, string>,
): Promise<Answer> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
  }
  return service.browser().request('POST', '/openid/token', { headers, body: new URLSearchParams(fields).toString() })
}

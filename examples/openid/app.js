// An app that speaks OpenID Connect, with the library that any Node app would take for it. Nothing here is special to Portaria.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { answer, cookie, html, readCookie, redirect, sendPage } from '../page.js'

const { PORTARIA_URL: issuer = 'http://localhost:3000', PORT: port = '4003', CLIENT_ID, CLIENT_SECRET } = process.env
const self = `http://127.0.0.1:${port}`
const hours12 = 43_200

/** By the cookie of this app: the user's claims, and the ID token for the sign-out. */
const sessions = new Map()
/** By the cookie of a browser on its way: what its answer is compared with. */
const attempts = new Map()

let discovered
/** Portaria's own description of itself. Only an issuer on this machine may be asked over http. */
function provider() {
  const options = issuer.startsWith('http:') ? { execute: [oidc.allowInsecureRequests] } : {}
  discovered ??= oidc.discovery(new URL(issuer), CLIENT_ID, CLIENT_SECRET, oidc.ClientSecretBasic(CLIENT_SECRET), options)
  return discovered.catch((error) => {
    discovered = undefined
    throw error
  })
}

const app = answer(async (request, response) => {
  const { pathname } = new URL(request.url, self)
  if (pathname === '/login') return signIn(response)
  if (pathname === '/callback') return receive(request, response)
  if (pathname === '/signout' && request.method === 'POST') return signOut(request, response)
  if (pathname === '/backchannel-logout' && request.method === 'POST') return forget(request, response)
  if (pathname !== '/') return sendPage(response, 404, 'Nothing here', html`<a href="/">Biblioteca</a>`)
  const user = sessions.get(readCookie(request, 'biblioteca_session'))?.claims
  const welcome = html`<p>A library that speaks OpenID Connect. You are not signed in.</p><a href="/login">Sign in with Portaria</a>`
  const facts = user && html`<dl><dt>Name<dd>${user.name}<dt>Email<dd>${user.email}<dt>Plan<dd>${user.plan_slug ?? 'none'}</dl>`
  sendPage(response, 200, 'Biblioteca', facts ? `${facts}<form method="post" action="/signout"><button>Sign out</button></form>` : welcome)
})
createServer(app).listen(port, '127.0.0.1', () => console.log(`Biblioteca is at ${self}`))

/** To Portaria. State, nonce and PKCE tie the answer to this browser. */
async function signIn(response) {
  const attempt = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
  const id = randomUUID()
  attempts.set(id, attempt)
  setTimeout(() => attempts.delete(id), 1_800_000).unref()
  const address = oidc.buildAuthorizationUrl(await provider(), {
    redirect_uri: `${self}/callback`,
    scope: 'openid profile email portaria',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  })
  redirect(response, address.href, [cookie('biblioteca_attempt', id, 1800)])
}

/** Back from Portaria. The library compares the state, redeems the code and verifies the ID token. */
async function receive(request, response) {
  const id = readCookie(request, 'biblioteca_attempt')
  const attempt = attempts.get(id)
  attempts.delete(id)
  if (!attempt) return sendPage(response, 400, 'This sign-in was not started here', html`<a href="/">Start again</a>`)
  const expected = { pkceCodeVerifier: attempt.verifier, expectedState: attempt.state, expectedNonce: attempt.nonce }
  const tokens = await oidc.authorizationCodeGrant(await provider(), new URL(request.url, self), expected)
  const session = randomUUID()
  sessions.set(session, { claims: tokens.claims(), idToken: tokens.id_token })
  redirect(response, '/', [cookie('biblioteca_session', session, hours12), cookie('biblioteca_attempt', '', 0)])
}

/** Ends this app's session, and then, at Portaria, the user's own. */
async function signOut(request, response) {
  const id = readCookie(request, 'biblioteca_session')
  const session = sessions.get(id)
  sessions.delete(id)
  const cleared = [cookie('biblioteca_session', '', 0)]
  if (!session) return redirect(response, '/', cleared)
  const address = oidc.buildEndSessionUrl(await provider(), { id_token_hint: session.idToken, post_logout_redirect_uri: `${self}/` })
  redirect(response, address.href, cleared)
}

/** Portaria reports that a session has ended (OpenID Connect Back-Channel Logout 1.0). One that is not known here is no fault. */
async function forget(request, response) {
  const token = new URLSearchParams(await text(request)).get('logout_token') ?? ''
  const notice = await verifyNotice(token).catch(() => undefined)
  if (!notice) return response.writeHead(400).end()
  for (const [id, { claims }] of sessions) if (claims.sid === notice.sid) sessions.delete(id)
  response.writeHead(200, { 'cache-control': 'no-store' }).end()
}

let keys
async function verifyNotice(token) {
  const { jwks_uri: address } = (await provider()).serverMetadata()
  keys ??= createRemoteJWKSet(new URL(address))
  const { payload } = await jwtVerify(token, keys, { issuer, audience: CLIENT_ID, algorithms: ['RS256'], typ: 'logout+jwt' })
  if (!payload.events?.['http://schemas.openid.net/event/backchannel-logout'] || 'nonce' in payload) return undefined
  return payload
}

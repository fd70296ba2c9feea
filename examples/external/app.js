// An external app, on a domain of its own. It never sees the family's session: it trades a token that works once for a session of its own.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import process from 'node:process'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { answer, cookie, html, readCookie, redirect, sendPage } from '../page.js'

const { PORTARIA_URL: portaria = 'http://localhost:3000', PORT: port = '4002', PRODUCT_ID, PUBLISHABLE_KEY, API_KEY } = process.env
const self = `http://127.0.0.1:${port}`
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', portaria))
const days30 = 2_592_000

const app = answer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, self)
  if (pathname === '/callback') return receive(searchParams, request, response)
  if (pathname === '/login') return signIn(response)
  if (pathname === '/signout' && request.method === 'POST') return signOut(request, response)
  if (pathname !== '/') return sendPage(response, 404, 'Nothing here', html`<a href="/">Livraria Aurora</a>`)
  const user = await whoHas(readCookie(request, 'livraria_session'))
  const facts = user && html`<dl><dt>Name<dd>${user.name}<dt>Email<dd>${user.email}<dt>Plan<dd>${user.plan_slug ?? 'none'}</dl>`
  const welcome = html`<p>A bookshop of another company. You are not signed in.</p><a href="/login">Sign in with Portaria</a>`
  sendPage(
    response,
    200,
    'Livraria Aurora',
    facts ? `${facts}<form method="post" action="/signout"><button>Sign out of the bookshop</button></form>` : welcome,
  )
})
createServer(app).listen(port, '127.0.0.1', () => console.log(`Livraria Aurora is at ${self}`))

/** To Portaria's login, which names the product by its publishable key. The state in a cookie ties the way back to this browser. */
function signIn(response) {
  const state = randomBytes(16).toString('base64url')
  const query = new URLSearchParams({ redirect_to: `${self}/callback`, api_key: PUBLISHABLE_KEY, state })
  redirect(response, `${portaria}/auth/login?${query}`, [cookie('livraria_state', state, 1800)])
}

/** Back from Portaria: state first, then the exchange, from this server and with the secret key, then on to a clean address. */
async function receive(query, request, response) {
  const token = query.get('eg_token')
  if (!token) return signIn(response)
  const state = readCookie(request, 'livraria_state')
  if (!state || query.get('state') !== state)
    return sendPage(response, 400, 'This sign-in was not started here', html`<a href="/">Start again</a>`)
  const { eg_session } = await (await post('/auth/verify', { token })).json()
  if (!eg_session) return sendPage(response, 401, 'This sign-in is no longer valid', html`<a href="/login">Sign in again</a>`)
  redirect(response, '/', [cookie('livraria_session', eg_session, days30), cookie('livraria_state', '', 0)])
}

/** The user of a token: genuine and made for this product (`aud`); and still live, with today's claims, as Portaria answers. */
async function whoHas(token) {
  if (!token) return undefined
  const genuine = await jwtVerify(token, keys, {
    algorithms: ['ES256'],
    typ: 'eg-session+jwt',
    issuer: portaria,
    audience: PRODUCT_ID,
  }).catch(() => undefined)
  if (!genuine) return undefined
  const headers = { cookie: `eg_session=${token}`, authorization: `Bearer ${API_KEY}` }
  const reply = await fetch(`${portaria}/auth/check`, { headers, signal: AbortSignal.timeout(5000) })
  return (await reply.json()).session
}

/** Ends this shop's session and no other: the user stays signed in at the family's apps. */
async function signOut(request, response) {
  const eg_session = readCookie(request, 'livraria_session')
  if (eg_session) await post('/auth/signout', { eg_session })
  redirect(response, '/', [cookie('livraria_session', '', 0)])
}

function post(path, body) {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
  return fetch(portaria + path, { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(5000) })
}

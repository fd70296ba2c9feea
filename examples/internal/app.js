// An internal app. It lives on the family's own domain, shares the family's session, and lets nobody in without one.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import process from 'node:process'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { answer, cookie, html, readCookie, redirect, sendPage } from '../page.js'

const { PORTARIA_URL: portaria = 'http://localhost:3000', PORT: port = '4001' } = process.env
const self = `http://localhost:${port}`
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', portaria))
const days30 = 2_592_000

const app = answer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, self)
  if (pathname === '/callback') return receive(searchParams, request, response)
  if (pathname !== '/') return sendPage(response, 404, 'Nothing here', html`<a href="/">Painel</a>`)
  const user = await whoHas(readCookie(request, 'eg_session'))
  if (!user) return signIn(response)
  const signOut = `${portaria}/auth/signout?redirect_to=${encodeURIComponent(self)}`
  const facts = html`<dl><dt>Name<dd>${user.name}<dt>Email<dd>${user.email}<dt>Plan<dd>${user.plan_slug ?? 'none'}<dt>Beta<dd>${user.is_beta ? 'yes' : 'no'}</dl>`
  sendPage(response, 200, 'Painel', `${facts}${html`<a href="${signOut}">Sign out</a>`}`)
})
createServer(app).listen(port, 'localhost', () => console.log(`Painel is at ${self}`))

/** To Portaria's login. Only the browser that leaves with this state in a cookie can come back with it: nobody signs a stranger in. */
function signIn(response) {
  const state = randomBytes(16).toString('base64url')
  const query = new URLSearchParams({ redirect_to: `${self}/callback`, state })
  redirect(response, `${portaria}/auth/login?${query}`, [cookie('painel_state', state, 1800)])
}

/** Back from Portaria: state first, then the token, then on to an address that holds neither. */
async function receive(query, request, response) {
  const token = query.get('eg_session')
  if (!token) return signIn(response)
  const state = readCookie(request, 'painel_state')
  if (!state || query.get('state') !== state)
    return sendPage(response, 400, 'This sign-in was not started here', html`<a href="/">Start again</a>`)
  if (!(await whoHas(token))) return sendPage(response, 401, 'This sign-in is no longer valid', html`<a href="/">Sign in again</a>`)
  redirect(response, '/', [cookie('eg_session', token, days30), cookie('painel_state', '', 0)])
}

/** The user of a token: genuine by its signature, kind, issuer and audience; and still live, with today's claims, as Portaria answers. */
async function whoHas(token) {
  if (!token) return undefined
  const genuine = await jwtVerify(token, keys, {
    algorithms: ['ES256'],
    typ: 'eg-session+jwt',
    issuer: portaria,
    audience: portaria,
  }).catch(() => undefined)
  if (!genuine) return undefined
  const headers = { cookie: `eg_session=${token}` }
  const reply = await fetch(`${portaria}/auth/check`, { headers, signal: AbortSignal.timeout(5000) })
  return (await reply.json()).session
}

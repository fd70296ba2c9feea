import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import express from 'express'
import session from 'express-session'
import * as oauth from 'oauth4webapi'
import passport from 'passport'
import OpenIDConnectStrategy from 'passport-openidconnect'
import { Browser } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { openIdApp, walk } from '../../support/openid/apps.ts'
import { startForSuite } from '../../support/service.ts'

/** Its types bring those of browsers with them, which are others than Node's. */
const AUTH_JS: string = '@auth/core'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

type Done = (error: null, user: object) => void

/** The part of Auth.js's settings by which an app asks Portaria. */
interface AuthJsConfig {
  callbacks: { jwt(given: { token: { accessToken: string; askAt: number } }): Promise<{ askAt: number } | null> }
}

/** The library below passport's strategy, as far as an app refreshes by it. */
interface OAuth2 {
  getOAuthAccessToken(code: string, fields: object, done: (error: unknown, accessToken?: string, refreshToken?: string) => void): void
}

const SECURE = { [oauth.allowInsecureRequests]: true }

oneDatabase('A client library as its own documents use it', (database) => {
  const started = startForSuite(database)

  it('oauth4webapi signs in by a pushed request, refreshes, and hears of the sign-out', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email, id } = await service.user('oauth4webapi@exemplo.com.br')
    const issuer = new URL(service.url)
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, SECURE))
    const client = { client_id: app.clientId }
    const secret = oauth.ClientSecretPost(app.secret)
    const [verifier, state, nonce] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState(), oauth.generateRandomNonce()]
    const pushed = await oauth.processPushedAuthorizationResponse(
      server,
      client,
      await oauth.pushedAuthorizationRequest(
        server,
        client,
        secret,
        new URLSearchParams({
          redirect_uri: app.redirectUri,
          response_type: 'code',
          scope: 'openid email offline_access',
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
        }),
        SECURE,
      ),
    )
    const browser = service.browser()
    const query = new URLSearchParams({ client_id: app.clientId, request_uri: pushed.request_uri })
    const { location = assert.fail() } = await walk(browser, await browser.get(`/openid/authorize?${query}`), email)
    const parameters = oauth.validateAuthResponse(server, client, location, state)
    const answer = await oauth.authorizationCodeGrantRequest(server, client, secret, parameters, app.redirectUri, verifier, SECURE)
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, { expectedNonce: nonce, requireIdToken: true })
    await oauth.validateApplicationLevelSignature(server, answer, SECURE)
    assert.equal(oauth.getValidatedIdTokenClaims(tokens)?.sub, id)
    const refresh = async () =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, secret, tokens.refresh_token ?? assert.fail(), SECURE),
      )
    const fresh = await refresh()
    const userinfo = async () =>
      oauth.processUserInfoResponse(server, client, id, await oauth.userInfoRequest(server, client, fresh.access_token, SECURE))
    assert.equal((await userinfo()).email, email)
    await browser.get('/auth/signout')
    await assert.rejects(userinfo())
  })

  it('passport-openidconnect signs in on Express, refreshes, and hears of the sign-out', async () => {
    const service = started()
    const port = await freePort()
    const url = `http://localhost:${port}`
    const callback = `${url}/callback`
    const app = await openIdApp(service, { uris: [callback], openid: { pkce: 'optional' } })
    const { email, id } = await service.user('passport@exemplo.com.br')
    const settings = {
      issuer: service.url,
      authorizationURL: `${service.url}/openid/authorize`,
      tokenURL: `${service.url}/openid/token`,
      userInfoURL: `${service.url}/openid/userinfo`,
      clientID: app.clientId,
      clientSecret: app.secret,
      callbackURL: callback,
      scope: ['profile', 'email', 'offline_access'],
    }
    let refreshToken = ''
    // By their number the strategy knows which parameters are meant.
    const verify = (_iss: string, profile: object, _context: object, _id: unknown, _access: unknown, refresh: string, done: Done) => {
      refreshToken = refresh
      done(null, profile)
    }
    const strategy = new OpenIDConnectStrategy(settings, verify)
    const users = new passport.Passport()
    users.use('oidc', strategy)
    users.serializeUser((user, done) => done(null, user))
    users.deserializeUser((user: Express.User, done) => done(null, user))
    const server = express()
      .use(session({ secret: 'x', resave: false, saveUninitialized: true }), users.initialize(), users.session())
      .get('/login', users.authenticate('oidc'))
      .get('/callback', users.authenticate('oidc', { failWithError: true }), (_request, response) => response.redirect('/'))
      .get('/', (request, response) => void response.json(request.user ?? null))
      .listen(port)
    after(() => server.close())
    assert.ok((server.address() as AddressInfo).port)
    const [atApp, atPortaria] = [new Browser(url, { origin: url, headers: {} }), service.browser()]
    const begun = (await atApp.get('/login')).location ?? assert.fail()
    const back = await walk(atPortaria, await atPortaria.get(begun.pathname + begun.search), email)
    const arrived = await atApp.get((back.location?.pathname ?? '') + (back.location?.search ?? ''))
    assert.equal(arrived.status, 302, arrived.text)
    const known = (await atApp.get('/')).json<{ id: string; displayName: string }>()
    assert.deepEqual([known.id, known.displayName], [id, 'Ana Flávia Conceição'])
    // The strategy has no refresh of its own: an app refreshes by the library below it.
    const refresh = () =>
      new Promise<string>((resolve, reject) => {
        const { _oauth2: oauth2 } = strategy as unknown as { _oauth2: OAuth2 }
        oauth2.getOAuthAccessToken(refreshToken, { grant_type: 'refresh_token' }, (error, access, next) => {
          refreshToken = next ?? refreshToken
          if (error) reject(new Error(JSON.stringify(error)))
          else resolve(String(access))
        })
      })
    assert.ok(await refresh())
    assert.ok(await refresh())
    await atPortaria.get('/auth/signout')
    await assert.rejects(refresh(), /invalid_grant/)
  })

  it('openid-client signs in on Express with the lines of the documents, signs out, and hears of a sign-out', async () => {
    const service = started()
    const port = await freePort()
    const url = `http://localhost:${port}`
    const app = await openIdApp(service, { uris: [`${url}/callback`], openid: { postLogoutUris: [`${url}/`] } })
    const { email } = await service.user('express@exemplo.com.br')
    const stop = await startDocumentedApp(url, {
      PORTARIA_URL: service.url,
      PORTARIA_CLIENT_ID: app.clientId,
      PORTARIA_CLIENT_SECRET: app.secret,
    })
    after(stop)
    const [atApp, atPortaria] = [new Browser(url, { origin: url, headers: {} }), service.browser()]
    const signIn = async (as?: string) => {
      const begun = (await atApp.get('/login')).location ?? assert.fail()
      const { location = assert.fail() } = await walk(atPortaria, await atPortaria.get(begun.pathname + begun.search), as)
      await atApp.get(location.pathname + location.search)
      assert.equal((await atApp.get('/')).text, 'Hello Ana Flávia Conceição')
    }
    const none = (await atApp.get('/logout')).location ?? assert.fail()
    assert.ok(!none.searchParams.has('id_token_hint'))
    assert.equal((await atPortaria.get(none.pathname + none.search)).location?.href, `${url}/`)
    await signIn(email)
    const out = (await atApp.get('/logout')).location ?? assert.fail()
    assert.equal((await atPortaria.get(out.pathname + out.search)).location?.href, `${url}/`)
    assert.equal((await atApp.get('/')).location?.pathname, '/login')
    await signIn(email)
    await atPortaria.get('/auth/signout')
    assert.equal((await atApp.get('/')).location?.pathname, '/login')
  })

  it('openid-client, by the lines of the documents, has a way out of a refusal, a second tab and a callback loaded again', async () => {
    const service = started()
    const port = await freePort()
    const url = `http://localhost:${port}`
    const app = await openIdApp(service, { uris: [`${url}/callback`] })
    const { email } = await service.user('ways-out@exemplo.com.br')
    const settings = { PORTARIA_URL: service.url, PORTARIA_CLIENT_ID: app.clientId, PORTARIA_CLIENT_SECRET: app.secret }
    after(await startDocumentedApp(url, settings))
    const [atApp, atPortaria] = [new Browser(url, { origin: url, headers: {} }), service.browser()]
    const begin = async () => (await atApp.get('/login')).location ?? assert.fail()
    const isStopped = async (target: string) => {
      const { status, text } = await atApp.get(target)
      assert.equal(status, 400)
      assert.match(text, /<a href="\/login">/)
    }
    await isStopped('/callback?code=x&state=y')
    const refused = new URLSearchParams({
      error: 'access_denied',
      state: (await begin()).searchParams.get('state') ?? '',
      iss: service.url,
    })
    await isStopped(`/callback?${refused}`)
    const [first, second] = [await begin(), await begin()]
    const back = (await walk(atPortaria, await atPortaria.get(first.pathname + first.search), email)).location ?? assert.fail()
    await isStopped(back.pathname + back.search)
    const { location = assert.fail() } = await walk(atPortaria, await atPortaria.get(second.pathname + second.search))
    assert.equal((await atApp.get(location.pathname + location.search)).location?.pathname, '/')
    assert.equal((await atApp.get(location.pathname + location.search)).location?.pathname, '/', 'loaded again')
    assert.equal((await atApp.get('/')).text, 'Hello Ana Flávia Conceição')
  })

  it('Auth.js, by the lines of the documents, ends a session by a refusal alone, and waits for no answer for ever', async () => {
    const answers: (number | 'none' | 'late')[] = [200, 503, 429, 'none', 'late', 401]
    const portaria = createServer((_request, response) => {
      const answer = answers.shift()
      if (answer === 'none') response.destroy()
      else if (typeof answer === 'number') response.writeHead(answer).end('{}')
    }).listen(0, '127.0.0.1')
    await once(portaria, 'listening')
    after(() => {
      portaria.closeAllConnections()
      portaria.close()
    })
    const issuer = `http://127.0.0.1:${(portaria.address() as AddressInfo).port}`
    const code = documented(/^## Auth\.js\n[\s\S]*?^```ts\n([\s\S]*?)^```$/m)
    const source = code.replace("import NextAuth from 'next-auth'", 'const NextAuth = (config) => ({ config })')
    const module = source.replace('{ handlers, auth, signIn, signOut }', '{ config }').replaceAll('https://sso.example.com', issuer)
    const { config } = (await import(`data:text/javascript,${encodeURIComponent(module)}`)) as { config: AuthJsConfig }
    const ask = async () => {
      const begun = Date.now()
      const token = await config.callbacks.jwt({ token: { accessToken: 'a', askAt: begun - 1 } })
      assert.ok(Date.now() - begun < 4_000)
      return token && Math.round((token.askAt - begun) / 10_000) * 10
    }
    assert.equal(await ask(), 60)
    for (const why of ['503', '429', 'no answer']) assert.equal(await ask(), 10, why)
    assert.ok((await ask()) ?? assert.fail('a late answer is no refusal'))
    assert.equal(await ask(), null)
    const fresh = { accessToken: 'a', askAt: Date.now() + 5_000 }
    assert.equal(await config.callbacks.jwt({ token: fresh }), fresh)
  })

  it('Auth.js signs in with the settings of the documents', async () => {
    const service = started()
    const url = 'http://localhost:4801'
    const app = await openIdApp(service, { uris: [`${url}/api/auth/callback/portaria`] })
    const { email } = await service.user('authjs@exemplo.com.br')
    const { Auth } = (await import(AUTH_JS)) as { Auth(request: Request, config: object): Promise<Response> }
    const config = {
      basePath: '/api/auth',
      secret: 'a-secret-of-the-app-that-is-long-enough',
      trustHost: true,
      providers: [
        {
          id: 'portaria',
          name: 'Portaria',
          type: 'oidc',
          issuer: service.url,
          clientId: app.clientId,
          clientSecret: app.secret,
          authorization: { params: { scope: 'openid profile email portaria' } },
          checks: ['pkce', 'state', 'nonce'],
        },
      ],
    }
    const jar = new Map<string, string>()
    const send = async (path: string, form?: Record<string, string>) => {
      const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '), 'x-auth-return-redirect': '1' }
      const body = form && { method: 'POST', body: new URLSearchParams(form) }
      const answer = await Auth(new Request(url + path, { headers, ...body }), config)
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
      }
      return answer
    }
    const { csrfToken } = (await (await send('/api/auth/csrf')).json()) as { csrfToken: string }
    const begun = (await (await send('/api/auth/signin/portaria', { csrfToken, callbackUrl: url })).json()) as { url: string }
    const [browser, to] = [service.browser(), new URL(begun.url)]
    const { location = assert.fail() } = await walk(browser, await browser.get(to.pathname + to.search), email)
    await send(location.pathname + location.search)
    const known = (await (await send('/api/auth/session')).json()) as { user?: { email: string; name: string } } | null
    assert.deepEqual([known?.user?.email, known?.user?.name], [email, 'Ana Flávia Conceição'])
  })
})

/** The lines of `docs/openid.md` that an expression finds. */
function documented(lines: RegExp): string {
  return lines.exec(readFileSync(path.join(root, 'docs/openid.md'), 'utf8'))?.[1] ?? assert.fail()
}

/** The app of `docs/openid.md`, listening at `url`; in a folder of its own that has our packages. Returns how to stop it. */
async function startDocumentedApp(url: string, environment: Record<string, string>): Promise<() => void> {
  const code = documented(/^## An app of your own, in Node\n[\s\S]*?^```js\n([\s\S]*?)^```$/m)
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-documented-'))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const { port } = new URL(url)
  const file = path.join(folder, 'app.mjs')
  // The process says when it listens.
  const says = code
    .replaceAll('http://localhost:4201', url)
    .replace('app.listen(4201)', `app.listen(${port}, () => console.log('listens'))`)
  writeFileSync(file, says)
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...environment, SESSION_SECRET: 'a secret of the app' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit').then(() => assert.fail('the app of the documents does not start'))
  await Promise.race([once(child.stdout, 'data'), gone])
  gone.catch(() => undefined)
  return () => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

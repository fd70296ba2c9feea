import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as oauth from 'oauth4webapi'
import { oneDatabase } from '../../support/databases.ts'
import { authorize, openIdApp } from '../../support/openid/apps.ts'
import { startForSuite } from '../../support/service.ts'

const LOCAL = { [oauth.allowInsecureRequests]: true }

/** The steps of a client for MCP, by hand: it knows the address of the API and its own client id, and nothing else. */
oneDatabase('A client that knows the API alone', (database) => {
  const started = startForSuite(database)

  it('is told by a 401 where tokens come from, gets one there for this API, and loses it with the session', async () => {
    const service = started()
    const { clientId, redirectUri } = await openIdApp(service, { openid: { kind: 'native' }, uris: ['http://127.0.0.1/callback'] })
    const { email, id } = await service.user('maquina@exemplo.com.br')
    const refused = await fetch(`${service.url}/api/me`)
    assert.equal(refused.status, 401)
    const [, address = ''] = /^Bearer resource_metadata="([^"]+)"$/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    assert.equal(address, `${service.url}/.well-known/oauth-protected-resource/api`)

    const api = new URL(`${service.url}/api`)
    const answer = await oauth.resourceDiscoveryRequest(api, LOCAL)
    assert.deepEqual([answer.url, answer.headers.get('access-control-allow-origin')], [address, '*'])
    const {
      resource,
      authorization_servers: [issuer = ''] = [],
      scopes_supported: scopes = [],
    } = await oauth.processResourceDiscoveryResponse(api, answer)
    assert.equal(resource, api.href)
    const server = await oauth.processDiscoveryResponse(
      new URL(issuer),
      await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...LOCAL }),
    )
    assert.ok(server.code_challenge_methods_supported?.includes('S256'))
    assert.equal(server.registration_endpoint, undefined)

    const client: oauth.Client = { client_id: clientId }
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
    const url = new URL(server.authorization_endpoint ?? assert.fail())
    url.search = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      resource,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const browser = service.browser()
    const parameters = oauth.validateAuthResponse(server, client, await authorize(browser, { url }, email), state)
    const redeemed = await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, redirectUri, verifier, {
      additionalParameters: { resource },
      ...LOCAL,
    })
    const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, redeemed)
    const me = () => oauth.protectedResourceRequest(token, 'GET', new URL(`${service.url}/api/me`), undefined, undefined, LOCAL)
    assert.equal(((await (await me()).json()) as { id: string }).id, id)
    await browser.get('/auth/signout')
    await assert.rejects(me(), (error) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError)
      const [challenge] = error.cause
      assert.deepEqual(challenge?.parameters, { error: 'invalid_token', resource_metadata: address })
      return true
    })
  })

  it('finds the same at the host, and everything under the service’s own name, whatever it calls it', async () => {
    const service = started()
    const read = async (path: string, host?: string) =>
      (
        await service
          .browser()
          .get(`/.well-known/oauth-protected-resource${path}`, host === undefined ? {} : { host, 'x-forwarded-host': host })
      ).json()
    const known = await read('/api')
    assert.deepEqual(await read(''), known)
    assert.deepEqual(await read('/api', 'evil.example'), known)
    assert.deepEqual(known.authorization_servers, [service.url])
  })
})

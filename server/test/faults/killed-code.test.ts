import assert from 'node:assert/strict'
import { it } from 'node:test'
import { changeProduct } from '../../src/products/index.ts'
import { eachDurableDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { tokenRequest, walk } from '../support/openid/apps.ts'
import { environmentBeside, startServer } from '../support/server-process.ts'
import { startService } from '../support/service.ts'

const REDIRECT_URI = 'https://app.example/callback'

eachDurableDatabase('A code of OpenID Connect', (database) => {
  it('works once after the restart when the server is killed before it is redeemed', async () => {
    const service = await startService(await database.fresh(), { environment: { PORTARIA_URL: 'http://localhost:4999' } })
    const { email } = await service.user('ana@exemplo.com.br')
    const { product, apiKey } = await service.product({ slug: 'app', audience: 'internal', uris: [REDIRECT_URI] })
    const changed = await changeProduct(
      'app',
      { openid: { kind: 'web', pkce: 'optional' } },
      { ...service.context, actor: 'operator:test' },
    )
    assert.ok(!('refusal' in changed))
    const app = { clientId: product.publishableKey, secret: apiKey }
    const environment = environmentBeside(service, { port: await freePort() })
    await service.stop()
    const first = await startServer(environment)
    const query = new URLSearchParams({
      client_id: app.clientId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid offline_access',
    })
    const browser = first.browser()
    const codeOf = async () => {
      const { location, text } = await walk(browser, await browser.get(`/openid/authorize?${query}`), email)
      return location?.searchParams.get('code') ?? assert.fail(text)
    }
    const [code, inFlight] = [await codeOf(), await codeOf()]
    // One request is under way when the server dies: its client never hears what became of it.
    const cut = tokenRequest(first, app, fieldsOf(inFlight)).catch(() => undefined)
    first.child.kill('SIGKILL')
    await Promise.all([first.exited, cut])
    const second = await startServer(environment)
    const redeemed = await tokenRequest(second, app, fieldsOf(code))
    assert.equal(redeemed.status, 200, redeemed.text)
    const { refresh_token } = redeemed.json<{ refresh_token: string }>()
    const refreshed = await tokenRequest(second, app, { grant_type: 'refresh_token', refresh_token })
    assert.equal(refreshed.status, 200)
    assert.equal((await tokenRequest(second, app, fieldsOf(code))).status, 400)
    // The second use has ended what came of the first.
    const { refresh_token: next } = refreshed.json<{ refresh_token: string }>()
    assert.equal((await tokenRequest(second, app, { grant_type: 'refresh_token', refresh_token: next })).status, 400)
  })
})

const fieldsOf = (code: string) => ({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI })

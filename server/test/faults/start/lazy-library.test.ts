import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { startServer } from '../../support/server-process.ts'

/** Runs before the service: says when the library of OpenID Connect is loaded. */
const WATCH = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (url.includes('/oidc-provider/lib/index.js') && console.log('LIBRARY LOADED'), next(url, context)) })`

eachDatabase('The library of OpenID Connect', (database) => {
  it('is loaded for the first product that speaks it, and in no other installation', async () => {
    const { url } = await database.fresh()
    const environment = {
      PORT: String(await freePort()),
      DATABASE_URL: url,
      PORTARIA_MASTER_KEY: MASTER_KEY,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WATCH)}`,
    }
    const server = await startServer(environment)
    const portaria = commandLine({ url }, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: server.url })
    const uri = 'https://app.example/callback'
    await portaria(`product create --slug app --name App --audience internal --checkout integrated --redirect-uri ${uri}`)
    for (const path of ['/openid/authorize', '/.well-known/openid-configuration', '/login', '/.well-known/oauth-authorization-server'])
      await server.browser().get(path)
    assert.ok(!server.log().includes('LIBRARY LOADED'))
    assert.equal((await portaria('product set --slug app --openid web')).code, 0)
    let status = 404
    for (let tries = 0; status === 404 && tries < 50; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      ;({ status } = await server.browser().get('/.well-known/openid-configuration'))
    }
    assert.equal(status, 200)
    assert.ok(server.log().includes('LIBRARY LOADED'))
  })
})

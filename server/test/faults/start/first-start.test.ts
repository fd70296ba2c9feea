import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../../support/command-line.ts'
import { freePort } from '../../support/free-port.ts'
import { startServer } from '../../support/server-process.ts'
import { openTerminal, type Terminal } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

const program = fileURLToPath(new URL('../../../bin/portaria.mjs', import.meta.url))
const ADDRESS = /^ {2}(http:\/\/localhost:\d+\/setup\?token=[\w-]{43})$/m

describe('The first start', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-first-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const at = async (name: string) => ({ PORT: String(await freePort()), DATABASE_URL: `sqlite:${path.join(folder, name)}/portaria.db` })
  const serve = (environment: Record<string, string>) =>
    openTerminal([program, 'serve'], { environment: { HOST: 'localhost', ...environment } })
  const stop = async ({ child, type }: Terminal) => {
    type('\u0003')
    await until(() => child.exitCode !== null)
  }

  it('at a terminal shows the one-time address as a plain line, again at the next start, and no more once somebody has an account', async () => {
    const environment = await at('terminal')
    const first = serve(environment)
    await until(() => ADDRESS.test(first.screen()))
    const key = path.join(folder, 'terminal', 'portaria.key')
    assert.ok(first.screen().includes(`Keep a copy of ${key} elsewhere`), first.screen())
    assert.ok(existsSync(key))
    const url = ADDRESS.exec(first.screen())?.[1] ?? ''
    assert.ok(url.startsWith(`http://localhost:${environment.PORT}/`))
    const token = url.slice(url.indexOf('=') + 1)
    for (const line of first.screen().split('\n')) if (line.startsWith('{')) assert.ok(!line.includes(token), line)
    assert.equal((await fetch(url, { headers: { accept: 'text/html' } })).status, 200)
    await stop(first)
    const second = serve(environment)
    await until(() => ADDRESS.test(second.screen()))
    assert.equal((await fetch(url)).status, 400, 'the address before is void')
    const body = new URLSearchParams({
      token: ADDRESS.exec(second.screen())?.[1]?.split('=')[1] ?? '',
      name: 'Dona Flor',
      email: 'dona@example.com',
      password: 'girassol azul no telhado',
    })
    const made = await fetch(`http://localhost:${environment.PORT}/setup`, { method: 'POST', body, redirect: 'manual' })
    assert.deepEqual([made.status, made.headers.get('location')], [302, '/admin'])
    await stop(second)
    const third = serve(environment)
    await until(() => third.screen().includes('is ready at'))
    await stop(third)
    assert.doesNotMatch(third.screen(), /setup/)
  })

  it('at a terminal shows none where users have accounts already, administrators or not', async () => {
    const environment = await at('users')
    const made = await commandLine({ url: environment.DATABASE_URL }, {})('user create --email ana@example.com --name Ana')
    assert.equal(made.code, 0, made.err)
    const terminal = serve(environment)
    await until(() => terminal.screen().includes('is ready at'))
    await stop(terminal)
    assert.doesNotMatch(terminal.screen(), /setup/)
  })

  it('anywhere else makes no address, and says which command does', async () => {
    const server = await startServer(await at('elsewhere'))
    await until(() => server.complaints().includes('npx portaria setup-link'))
    server.child.kill('SIGTERM')
    await server.exited
    assert.doesNotMatch(server.complaints() + server.log(), /token/)
  })
})

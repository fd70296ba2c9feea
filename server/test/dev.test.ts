import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './support/free-port.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The pages below /admin that the service makes itself, by its own description. */
function ownPages(): string[] {
  const { paths } = JSON.parse(readFileSync(path.join(root, 'docs', 'openapi.json'), 'utf8'))
  const found = Object.keys(paths).filter((place) => place.startsWith('/admin/'))
  assert.ok(found.includes('/admin/sign-in'))
  return found
}

test('npm run dev serves the console from its sources beside the service, starts the service again at a save, and leaves nothing behind', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-dev-'))
  const url = `http://localhost:${await freePort()}`
  const dev = spawn(process.execPath, ['scripts/dev.ts'], {
    cwd: root,
    env: { ...process.env, PORT: new URL(url).port, DEV_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(async () => {
    if (dev.exitCode === null && dev.kill('SIGTERM')) await once(dev, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  let said = ''
  for (const stream of [dev.stdout, dev.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const hears = async (text: string) => {
    while (!said.includes(text)) {
      if (dev.exitCode !== null) assert.fail(said)
      await wait(50)
    }
  }

  await hears('Ctrl+C')
  const page = async (place: string) => (await fetch(url + place)).text()
  assert.match(await page('/login'), /name="password"/)
  assert.match(await page('/admin'), /\/admin\/src\/main\.tsx/)
  assert.match(await page('/admin/src/main.tsx'), /createRoot/)
  for (const own of ownPages()) assert.doesNotMatch(await page(own), /@vite\/client/, `${own} is a page of the service`)
  assert.ok(existsSync(path.join(folder, 'app.env')))

  const [first = assert.fail(said)] = /"port":\d+/.exec(said) ?? []
  said = ''
  const now = new Date()
  utimesSync(path.join(root, 'server', 'src', 'main.ts'), now, now)
  await hears('main.ts was saved')
  assert.equal((await fetch(`${url}/readyz`)).status, 200, 'the request waited')
  await hears('"listening"')
  assert.ok(said.includes(first))

  dev.kill('SIGTERM')
  assert.deepEqual(await once(dev, 'exit'), [0, null])
  await assert.rejects(fetch(`http://127.0.0.1:${first.slice('"port":'.length)}/readyz`))
})

test('npm run dev says that its port is taken, and makes nothing', async () => {
  const folder = path.join(tmpdir(), `portaria-dev-${process.pid}`)
  const taken = createServer().listen(await freePort(), 'localhost')
  after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const { status, stderr } = spawnSync(process.execPath, ['scripts/dev.ts'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DEV_FOLDER: folder },
    encoding: 'utf8',
  })
  assert.deepEqual(
    [status, stderr, existsSync(folder)],
    [1, `Port ${port} is taken by another program. Stop it, or choose another: PORT=${port + 1} npm run dev\n`, false],
  )
})

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { packClient } from '../../scripts/build/client-package.ts'
import { startPortariaFor } from './adapters/start-portaria.ts'

const run = promisify(execFile)

describe('The package, as the running service hands it out', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-served-'))
  let url = ''
  let stop = async () => {}
  before(async () => {
    await packClient({ dist: 'built' })
    const fixture = await startPortariaFor('http://localhost:4001')
    url = fixture.service.url
    stop = fixture.stop
  })
  after(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('N6: has a stable name, and a lasting one that says what is in it', async () => {
    const described = await (await fetch(`${url}/client/portaria-client.json`)).json()
    const stable = await fetch(`${url}/client/portaria-client.tgz`)
    const bytes = Buffer.from(await stable.arrayBuffer())
    assert.equal(`sha512-${createHash('sha512').update(bytes).digest('base64')}`, described.integrity)
    assert.deepEqual([stable.headers.get('cache-control'), stable.headers.get('content-type')], ['no-cache', 'application/gzip'])
    const lasting = await fetch(url + described.path)
    assert.match(described.path, /^\/client\/portaria-client-[\d.]+-[0-9a-f]{16}\.tgz$/)
    assert.deepEqual(Buffer.from(await lasting.arrayBuffer()), bytes)
    assert.equal(lasting.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  })

  it('N6: hands out nothing else', async () => {
    for (const name of ['latest.json', '..%2fpackage.json', '%2e%2e/package.json', 'portaria-client-0.0.0-0000000000000000.tgz'])
      assert.equal((await fetch(`${url}/client/${name}`)).status, 404, name)
  })

  for (const name of ['portaria-client.tgz', 'the lasting name'])
    it(`N6: is installed by npm from there, by ${name}, and runs`, async () => {
      const app = path.join(folder, name.replaceAll(' ', '-'))
      const { path: lasting } = await (await fetch(`${url}/client/portaria-client.json`)).json()
      await run('mkdir', ['-p', app])
      writeFileSync(path.join(app, 'package.json'), '{"name":"an-app","private":true,"type":"module"}')
      const address = url + (name === 'portaria-client.tgz' ? `/client/${name}` : lasting)
      await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', address], { cwd: app })
      const { packages } = JSON.parse(readFileSync(path.join(app, 'package-lock.json'), 'utf8'))
      assert.equal(packages['node_modules/@portaria/client'].resolved, address)
      writeFileSync(path.join(app, 'app.js'), `import { createPortaria } from '@portaria/client'\nconsole.log(typeof createPortaria)`)
      assert.equal((await run(process.execPath, ['app.js'], { cwd: app })).stdout.trim(), 'function')
    })
})

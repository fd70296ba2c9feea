import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { type Config, type Environment, readConfig } from '../src/config.ts'
import { openContext } from '../src/context.ts'
import { findMasterKey, readMasterKey } from '../src/master-key-file.ts'

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function fresh(environment: Environment = {}): Promise<{ config: Config; folder: string; file: string }> {
  const home = mkdtempSync(path.join(tmpdir(), 'portaria-key-'))
  folders.push(home)
  const folder = path.join(home, 'data')
  const read = await readConfig({ DATABASE_URL: `sqlite:${folder}/portaria.db`, ...environment })
  assert.ok('config' in read)
  return { config: read.config, folder, file: path.join(folder, 'portaria.key') }
}

/** Opens the database once, which leaves the key's mark in it. */
async function use(config: Config, key: Buffer): Promise<void> {
  const context = await openContext({ ...config, masterKey: key }, { onFault: (error) => assert.fail(String(error)) })
  assert.ok(!('refusal' in context))
  await context.close()
}

describe('The master key file', () => {
  it('is made on first use, for its owner alone, and found from then on', async () => {
    const { config, folder, file } = await fresh()
    assert.equal(await readMasterKey(config), undefined)
    assert.ok(!existsSync(folder))
    const first = await findMasterKey(config)
    assert.ok('key' in first && first.made && first.key.length === 32)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.match(readFileSync(file, 'utf8'), /^[A-Za-z0-9+/]{43}=\n$/)
    assert.deepEqual(await findMasterKey(config), { key: first.key, made: false })
    assert.deepEqual(readdirSync(folder), ['portaria.key'])
  })

  it('is one and the same for processes that start at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { config, folder } = await fresh()
      const found = await Promise.all(Array.from({ length: 20 }, () => findMasterKey(config)))
      const keys = new Set(found.map((one) => ('key' in one ? one.key.toString('hex') : one.fault)))
      assert.equal(keys.size, 1)
      assert.equal(found.filter((one) => 'key' in one && one.made).length, 1)
      assert.deepEqual(readdirSync(folder), ['portaria.key'])
    }
  })

  it('gives way to PORTARIA_MASTER_KEY, and is then not made', async () => {
    const key = Buffer.alloc(32, 3)
    const { config, folder } = await fresh({ PORTARIA_MASTER_KEY: key.toString('base64') })
    assert.deepEqual(await findMasterKey(config), { key, made: false })
    assert.ok(!existsSync(folder))
  })

  it('is a fault when it is malformed, and is left as it is', async () => {
    for (const text of ['', 'short', 'x'.repeat(44), `${Buffer.alloc(33).toString('base64')}\n`]) {
      const { config, file } = await fresh()
      await findMasterKey(config)
      writeFileSync(file, text)
      const found = await findMasterKey(config)
      assert.ok('fault' in found && found.fault.includes(file) && /expects 32 bytes in base64/.test(found.fault))
      assert.equal(readFileSync(file, 'utf8'), text)
    }
  })

  it('is never made anew for a database that was made with one that is gone', async () => {
    const { config, file } = await fresh()
    const found = await findMasterKey(config)
    assert.ok('key' in found)
    await use(config, found.key)
    rmSync(file)
    const lost = await findMasterKey(config)
    assert.ok('fault' in lost && /is gone, and this database was made with the key in it/.test(lost.fault))
    assert.ok(!existsSync(file))
  })

  it('is made for an empty database that no key has touched', async () => {
    const { config, folder } = await fresh()
    const first = await findMasterKey(config)
    assert.ok('key' in first)
    rmSync(path.join(folder, 'portaria.key'))
    writeFileSync(path.join(folder, 'portaria.db'), '')
    const second = await findMasterKey(config)
    assert.ok('key' in second && second.made)
  })

  it('is a fault, in one line, where it can’t be made', async () => {
    const { config, folder } = await fresh()
    writeFileSync(folder, 'a file where the folder should be')
    const found = await findMasterKey(config)
    assert.ok('fault' in found && /portaria\.key can't be made: .+/.test(found.fault) && !found.fault.includes('\n'))
  })
})

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, describe, it, type TestContext } from 'node:test'
import { commandLine } from '../../../test/support/command-line.ts'
import { openStorage } from '../index.ts'

describe('The pages of a SQLite database', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-pages-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let files = 0

  const made = async () => {
    const file = path.join(folder, `${++files}.db`)
    const portaria = commandLine({ url: `sqlite:${file}` })
    await portaria('user create --email ana@example.com --name Ana')
    return { file, portaria }
  }

  const doctor = async (portaria: ReturnType<typeof commandLine>) =>
    (await portaria('doctor --json')).json.checks.find(({ name }: { name: string }) => name === 'pages')

  /** Has the program with which they are read replaced. */
  const { execPath } = process
  const readBy = (context: TestContext, program: string) => {
    context.after(() => {
      process.execPath = execPath
    })
    process.execPath = program
  }

  it('are sound, and damaged where they are', async () => {
    const { file, portaria } = await made()
    assert.deepEqual(await doctor(portaria), { name: 'pages', status: 'ok', message: 'every page of the database can be read' })
    const bytes = readFileSync(file)
    bytes.fill(0xff, 40_960, 81_920)
    writeFileSync(file, bytes)
    const { status, message } = await doctor(portaria)
    assert.equal(status, 'fail')
    assert.match(message, /is damaged \(.+\)\. Stop the service/)
  })

  it('are not called readable where the program that reads them does not start', async (context) => {
    const { portaria } = await made()
    readBy(context, path.join(folder, 'no-node'))
    const { status, message } = await doctor(portaria)
    assert.equal(status, 'warn')
    assert.match(message, /^not read to their end \(spawn .+no-node ENOENT\)/)
  })

  it('are not called readable where that program is killed, or says nothing', async (context) => {
    const { file, portaria } = await made()
    for (const [line, why] of [
      ['kill -9 $$', 'its process was ended by SIGKILL'],
      ['echo "Error: database is locked" >&2; exit 1', 'database is locked'],
      ['exit 0', 'no answer'],
    ]) {
      const program = path.join(folder, `node-${++files}`)
      writeFileSync(program, `#!/bin/sh\n${line}\n`)
      chmodSync(program, 0o755)
      readBy(context, program)
      const { status, message } = await doctor(portaria)
      assert.deepEqual([status, message.includes(`(${why})`)], ['warn', true], message)
      const storage = await openStorage({ dialect: 'sqlite', file })
      assert.deepEqual(await storage.checkPages(), { unread: why })
      assert.equal(storage.damage(), undefined)
      await storage.close()
    }
  })
})

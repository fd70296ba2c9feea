import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { commandLine } from '../../support/command-line.ts'
import { freePort } from '../../support/free-port.ts'
import { completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { spawnServer, startServer } from '../../support/server-process.ts'
import { until } from '../../support/until.ts'

const PURCHASES = 30
const PAGE = 4_096
const FRAME = 24 + PAGE
const LOG_HEADER = 32

/** The files beside each other, with the log as a process that was killed left it. */
interface Files {
  file: string
  log: string
  index: string
  environment: Record<string, string>
}

describe('A SQLite database whose files are damaged', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'portaria-damaged-'))
  after(() => rmSync(home, { recursive: true, force: true }))
  let folders = 0

  const filesIn = async (folder: string): Promise<Files> => {
    const file = path.join(folder, 'portaria.db')
    const environment = { PORT: String(await freePort()), DATABASE_URL: `sqlite:${file}`, ...WEBHOOKS }
    return { file, log: `${file}-wal`, index: `${file}-shm`, environment }
  }

  /** A service that took purchases and ended so. Later calls copy its files. */
  const leftBy: Partial<Record<NodeJS.Signals, Files>> = {}
  const left = async (signal: NodeJS.Signals): Promise<Files> => {
    leftBy[signal] ??= await endBy(signal)
    const { file } = leftBy[signal]
    const folder = path.join(home, String(++folders))
    mkdirSync(folder)
    const copy = await filesIn(folder)
    for (const ending of ['', '-wal', '-shm']) if (existsSync(file + ending)) copyFileSync(file + ending, copy.file + ending)
    for (const key of ['portaria.key', 'portaria.key.used']) copyFileSync(path.join(path.dirname(file), key), path.join(folder, key))
    return copy
  }
  const endBy = async (signal: NodeJS.Signals): Promise<Files> => {
    const folder = path.join(home, signal)
    mkdirSync(folder)
    const files = await filesIn(folder)
    const server = await startServer(files.environment)
    for (let i = 0; i < PURCHASES; i++)
      assert.equal((await notify(server.url, completed({ email: `pessoa${i}@exemplo.com.br` }))).status, 200)
    server.child.kill(signal)
    await server.exited
    return files
  }

  /** One sentence at the start, the same from `doctor` and any command, and every file is as it was. */
  const refused = async ({ file, log, index, environment }: Files, pattern: RegExp) => {
    const bytes = () => [file, log, index].map((name) => (existsSync(name) ? readFileSync(name) : undefined))
    const before = bytes()
    const server = spawnServer(environment)
    let code: number | null | undefined
    void server.exited.then((ended) => (code = ended.code))
    await until(() => code !== undefined || server.complaints().includes('is ready at'))
    assert.equal(code, 1, server.complaints())
    assert.match(server.complaints(), pattern)
    assert.match(server.complaints(), /Nothing was changed\. Restore the last good backup/)
    assert.equal(server.complaints().trimEnd().split('\n').length, 1, server.complaints())
    const portaria = commandLine({ url: environment.DATABASE_URL ?? '' }, {})
    assert.match((await portaria('user list')).err, pattern)
    assert.match((await portaria(`backup ${file}.copy`)).err, /is damaged, and so would be a copy/)
    const doctor = await portaria('doctor')
    assert.equal(doctor.code, 1)
    assert.match(doctor.out, pattern)
    assert.deepEqual(bytes(), before, 'a file was changed')
  }

  const starts = async ({ environment }: Files): Promise<number> => {
    const server = await startServer(environment)
    server.child.kill('SIGTERM')
    await server.exited
    return (await commandLine({ url: environment.DATABASE_URL ?? '' }, {})('webhook list --json')).json.length
  }

  const flip = (name: string, at: number) => {
    const bytes = readFileSync(name)
    bytes.writeUInt8((bytes[at] ?? 0) ^ 0x10, at)
    writeFileSync(name, bytes)
  }

  /** By a backup of what the service had: that is what the sentence says to do. */
  const isReplaced = async ({ file, environment }: Files, signal: NodeJS.Signals = 'SIGTERM') => {
    const sound = await left(signal)
    const damaged = readFileSync(file)
    const restored = await commandLine({ url: environment.DATABASE_URL ?? '' }, {})(`restore ${sound.file}`)
    assert.equal(restored.code, 0, restored.err)
    assert.match(restored.out, /The database before it is .+\.before-restore\./)
    assert.deepEqual(readFileSync(`${file}.before-restore`), damaged)
    assert.equal(await starts({ ...sound, file, environment }), PURCHASES)
  }

  it('F9: by a log with a flipped bit in its middle is refused in one sentence; the copy of it is restored with what can be read', async () => {
    const files = await left('SIGKILL')
    const frames = Math.floor((statSync(files.log).size - LOG_HEADER) / FRAME)
    assert.ok(frames > 50, `${frames} frames`)
    // The first half is the making of the tables.
    flip(files.log, LOG_HEADER + Math.floor(frames * 0.8) * FRAME + 500)
    rmSync(files.index) // as after a restart of the machine
    const pattern = /-wal is cut or damaged behind frame \d+: what was acknowledged after that would be gone/
    await refused(files, pattern)
    const rescued = path.join(path.dirname(files.file), 'rescued.db')
    for (const ending of ['', '-wal']) copyFileSync(files.file + ending, rescued + ending)
    const portaria = commandLine({ url: files.environment.DATABASE_URL ?? '' }, {})
    const restored = await portaria(`restore ${rescued}`)
    assert.equal(restored.code, 0, restored.err)
    const purchases = await starts(files)
    assert.ok(purchases > 0 && purchases < PURCHASES, `${purchases} of ${PURCHASES}`)
  })

  it('F9: by a log that is cut, or whose header is damaged, is refused', async () => {
    const cut = await left('SIGKILL')
    truncateSync(cut.log, LOG_HEADER + Math.floor(statSync(cut.log).size / FRAME / 2) * FRAME)
    await refused(cut, /-wal is cut or damaged behind frame \d+/)
    const emptied = await left('SIGKILL')
    truncateSync(emptied.log)
    await refused(emptied, /-wal is cut or damaged behind frame 0/)
    const header = await left('SIGKILL')
    flip(header.log, 17)
    await refused(header, /-wal is damaged at its beginning/)
  })

  it('F9: by a file that is cut, or is no database any more, is refused, and replaced by a backup', async () => {
    const cut = await left('SIGTERM')
    truncateSync(cut.file, Math.floor(statSync(cut.file).size / PAGE / 2) * PAGE)
    await refused(cut, /portaria\.db is cut: it has \d+ of \d+ pages/)
    await isReplaced(cut)
    const other = await left('SIGTERM')
    flip(other.file, 3)
    await refused(other, /portaria\.db is damaged, or not a database of SQLite/)
    await isReplaced(other)
  })

  it('F9: by a log that can be read in part alone is kept whole beside the backup that takes its place', async () => {
    const files = await left('SIGKILL')
    flip(files.log, LOG_HEADER + FRAME + 500)
    rmSync(files.index)
    const log = readFileSync(files.log)
    await isReplaced(files, 'SIGKILL')
    assert.deepEqual(readFileSync(`${files.file}.before-restore-wal`), log)
  })

  it('F9: by flipped bytes in the middle of the file starts, and says which at once, in the log and at /readyz', async () => {
    const { file, environment } = await left('SIGTERM')
    const bytes = readFileSync(file)
    const page = [...Array(bytes.length / PAGE).keys()].findLast((n) => [0x0d, 0x0a].includes(bytes[n * PAGE] ?? 0)) ?? assert.fail()
    bytes.fill(0xff, page * PAGE, page * PAGE + 200)
    writeFileSync(file, bytes)
    const server = await startServer(environment)
    const pattern = /portaria\.db is damaged \(.+\)\. Stop the service, keep a copy of the file, and restore the last good backup/
    await until(() => pattern.test(server.complaints()))
    await until(() => pattern.test(server.log()))
    const { warnings } = (await (await fetch(`${server.url}/readyz`)).json()) as { warnings: string[] }
    assert.match(warnings.join(), pattern)
    const doctor = await commandLine({ url: environment.DATABASE_URL ?? '' }, {})('doctor')
    assert.equal(doctor.code, 1)
    assert.match(doctor.out, pattern)
  })

  it('that was killed, or whose last write was torn before it was acknowledged, is not called damaged', async () => {
    assert.equal(await starts(await left('SIGKILL')), PURCHASES)
    const torn = await left('SIGKILL')
    rmSync(torn.index)
    // Of the last commit alone nobody can know whether it was acknowledged: a loss of power tears it before that.
    flip(torn.log, statSync(torn.log).size - FRAME / 2)
    const purchases = await starts(torn)
    assert.ok(purchases >= PURCHASES - 1 && purchases <= PURCHASES, `${purchases}`)
  })
})

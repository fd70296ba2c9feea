import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { after, describe, it } from 'node:test'
import { until } from '../../test/support/until.ts'
import { createCrew } from './crew.ts'

/** The first serves until it is told to end; what comes later ends before it serves. */
const PROGRAM = `
  if (process.argv.at(-1) === 'later') process.exit(3)
  process.send({ type: 'serving' })
  process.on('SIGTERM', () => process.exit(0))
  setInterval(() => {}, 1_000)
`

describe('A crew whose later processes cannot start', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-crew-'))
  const program = path.join(folder, 'program.mjs')
  writeFileSync(program, PROGRAM)
  after(() => rmSync(folder, { recursive: true }))

  const lines: Array<{ msg: string; pauseMs?: unknown; code?: unknown }> = []
  const log = {
    write: (_level: string, about: Record<string, unknown>, msg: string) => void lines.push({ ...about, msg }),
    end: async () => {},
  }
  const crew = createCrew({ count: 2, program, log })
  after(() => crew.stop())
  const pauses = () => lines.flatMap(({ pauseMs }) => pauseMs ?? [])

  let first: ReturnType<typeof crew.start>

  it('tries again after pauses that double', async () => {
    first = crew.start('first')
    assert.equal(await first.begun, 'serving')
    crew.fill()
    await until(() => pauses().length === 3)
    assert.deepEqual(pauses(), [100, 200, 400])
    assert.deepEqual(new Set(lines.map(({ code }) => code)), new Set([3]))
  })

  it('keeps the process that serves where a new version does not start', async () => {
    await crew.renew()
    assert.ok(lines.some(({ msg }) => msg.startsWith('a new process could not start')))
    assert.equal(first.isLeaving, false, 'the first was asked to end')
    assert.doesNotThrow(() => process.kill(first.pid ?? 0, 0), 'the first has ended')
  })

  it('ends at once when it is told to stop, and starts nothing after that', async () => {
    await crew.stop()
    const tried = pauses().length
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    assert.equal(pauses().length, tried)
  })
})

describe('A crew on a system that starts no process', () => {
  const lines: Array<{ msg: string; fault?: unknown; pauseMs?: unknown }> = []
  const log = {
    write: (_level: string, about: Record<string, unknown>, msg: string) => void lines.push({ ...about, msg }),
    end: async () => {},
  }
  for (const [way, program, node] of [
    ['answers with a fault', 'program.mjs', '/nonexistent/node'],
    ['throws', 'program\0.mjs', process.execPath],
  ] as const)
    it(`goes on and tries again where the system ${way}`, async () => {
      const { execPath } = process
      process.execPath = node
      const crew = createCrew({ count: 1, program, log })
      try {
        lines.length = 0
        const first = crew.start('later')
        assert.equal(await first.begun, 'ended')
        await until(() => lines.length === 2)
        assert.deepEqual(
          lines.map(({ pauseMs, fault }) => [pauseMs, /ENOENT|null bytes/.test(String(fault))]),
          [
            [100, true],
            [200, true],
          ],
        )
      } finally {
        await crew.stop()
        process.execPath = execPath
      }
    })
})

describe('A crew with a process that hangs', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-crew-'))
  const program = path.join(folder, 'program.mjs')
  const started = path.join(folder, 'started')
  const gate = path.join(folder, 'gate')
  // The service's own end of the channel. It serves once the gate is there; SIGWINCH makes it compute for ever.
  writeFileSync(
    program,
    `import { appendFileSync, existsSync } from 'node:fs'
    import { joinParent } from ${JSON.stringify(import.meta.resolve('./child.ts'))}
    const parent = joinParent(async () => [])
    process.on('SIGWINCH', () => { for (;;) ; })
    process.on('SIGTERM', () => process.exit(0))
    appendFileSync(${JSON.stringify(started)}, 'x')
    const serve = () => existsSync(${JSON.stringify(gate)}) ? parent.nowServing() : setTimeout(serve, 20)
    serve()`,
  )
  after(() => rmSync(folder, { recursive: true }))
  const lines: Array<{ msg: string; process?: unknown; signal?: unknown }> = []
  const log = {
    write: (_level: string, about: Record<string, unknown>, msg: string) => void lines.push({ ...about, msg }),
    end: async () => {},
  }

  it('kills that one and starts another in its place, and leaves alone the one that answers', async () => {
    const crew = createCrew({ count: 2, program, log, pingMs: 300 })
    after(() => crew.stop())
    writeFileSync(gate, '')
    const [hung, other] = [crew.start('later'), crew.start('later')]
    await Promise.all([hung.begun, other.begun])
    hung.kill('SIGWINCH')
    assert.deepEqual(await hung.ended, { code: null, signal: 'SIGKILL' })
    await until(() => readFileSync(started, 'utf8').length === 3)
    const said = [[hung.pid, 'a process no longer answers: it is killed, and another takes its place']]
    // As long again: who answers is not counted down.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    assert.deepEqual(
      lines.map(({ msg, process }) => [process, msg]),
      said,
    )
    assert.equal(readFileSync(started, 'utf8').length, 3)
    assert.doesNotThrow(() => process.kill(other.pid ?? 0, 0), 'the one that answers has ended')
    await crew.stop()
  })

  it('starts no second one in its place where a new version is taking it', async () => {
    rmSync(started)
    const crew = createCrew({ count: 1, program, log, pingMs: 300 })
    after(() => crew.stop())
    const old = crew.start('later')
    await old.begun
    rmSync(gate)
    const renewed = crew.renew()
    old.kill('SIGWINCH')
    assert.deepEqual(await old.ended, { code: null, signal: 'SIGKILL' })
    await new Promise((resolve) => setTimeout(resolve, 1_000)) // another one would have begun
    writeFileSync(gate, '')
    await renewed
    await crew.stop()
    assert.equal(readFileSync(started, 'utf8'), 'xx')
  })
})

describe('A parent that is asked to stop before its first process serves', () => {
  it('ends as asked, with the code 0', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'portaria-parent-'))
    after(() => rmSync(folder, { recursive: true }))
    const [begun, program, parent] = ['begun', 'program.mjs', 'parent.mjs'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(
      program,
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(begun)}, ''); setInterval(() => {}, 1_000)`,
    )
    writeFileSync(
      parent,
      `import { runProcesses } from ${JSON.stringify(new URL('./parent.ts', import.meta.url).href)}
      process.exitCode = await runProcesses(1, ${JSON.stringify(program)})`,
    )
    const child = spawn(process.execPath, [parent], { env: { PATH: process.env.PATH }, stdio: ['ignore', 'ignore', 'inherit'] })
    await until(() => existsSync(begun))
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })
})

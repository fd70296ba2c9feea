import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
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
    assert.deepEqual([first.isLeaving, first.child.killed, first.child.exitCode], [false, false, null], 'the first was asked to end')
  })

  it('ends at once when it is told to stop, and starts nothing after that', async () => {
    await crew.stop()
    const tried = pauses().length
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    assert.equal(pauses().length, tried)
  })
})

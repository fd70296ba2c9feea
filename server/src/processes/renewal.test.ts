import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { until } from '../../test/support/until.ts'
import { createCrew } from './crew.ts'

describe('A crew that is asked to renew itself', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-crew-'))
  const program = path.join(folder, 'program.mjs')
  const gate = path.join(folder, 'gate')
  // Serves once the gate is there, and counts the signals that it gets.
  writeFileSync(
    program,
    `import { appendFileSync, existsSync } from 'node:fs'
    const serve = () => existsSync(${JSON.stringify(gate)}) ? process.send({ type: 'serving' }) : setTimeout(serve, 20)
    serve()
    process.on('SIGTERM', () => {
      appendFileSync(${JSON.stringify(path.join(folder, 'signals'))}, 'x')
      setTimeout(() => process.exit(0), 300)
    })
    setInterval(() => {}, 1_000)`,
  )
  after(() => rmSync(folder, { recursive: true }))
  const lines: string[] = []
  const log = { write: (_level: string, _about: unknown, msg: string) => void lines.push(msg), end: async () => {} }

  for (const victim of [0, 1])
    it(`does so again where it is asked meanwhile, replaces the ${victim === 0 ? 'first' : 'second'}, which ends meanwhile, and asks each to end once`, async () => {
      lines.length = 0
      rmSync(path.join(folder, 'signals'), { force: true })
      writeFileSync(gate, '')
      const crew = createCrew({ count: 2, program, log })
      after(() => crew.stop())
      const before = [crew.start('later'), crew.start('later')]
      await Promise.all(before.map(({ begun }) => begun))
      rmSync(gate)
      const renewed = crew.renew()
      void crew.renew()
      before[victim]?.kill('SIGKILL')
      await before[victim]?.ended
      await until(() => lines.some((line) => line.startsWith('a process has ended')))
      await new Promise((resolve) => setTimeout(resolve, 300)) // its replacement comes after a pause
      writeFileSync(gate, '')
      await renewed
      assert.equal(lines.filter((line) => line === 'all processes were replaced').length, 2)
      // One of the two that were there, and in the second round both that served then.
      assert.equal(readFileSync(path.join(folder, 'signals'), 'utf8'), 'xxx')
      await Promise.all([crew.stop(), crew.stop()])
      assert.equal(readFileSync(path.join(folder, 'signals'), 'utf8'), 'xxxxx')
    })
})

describe('A crew whose new processes can not start once the first was replaced', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-crew-'))
  const program = path.join(folder, 'program.mjs')
  const [starts, broken] = [path.join(folder, 'starts'), path.join(folder, 'broken')]
  // The two that begin, and the first of the new ones, serve. After that none does while `broken` has a number left.
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
    appendFileSync(${JSON.stringify(starts)}, 'x')
    const left = Number(readFileSync(${JSON.stringify(broken)}, 'utf8'))
    if (readFileSync(${JSON.stringify(starts)}, 'utf8').length > 3 && left > 0) {
      writeFileSync(${JSON.stringify(broken)}, String(left - 1))
      process.exit(3)
    }
    process.send({ type: 'serving' })
    process.on('SIGTERM', () => process.exit(0))
    setInterval(() => {}, 1_000)`,
  )
  after(() => rmSync(folder, { recursive: true }))
  const lines: Array<{ msg: string; replaced?: unknown; kept?: unknown }> = []
  const log = {
    write: (_level: string, about: Record<string, unknown>, msg: string) => void lines.push({ ...about, msg }),
    end: async () => {},
  }
  const renewed = async (failures: number) => {
    lines.length = 0
    rmSync(starts, { force: true })
    writeFileSync(broken, String(failures))
    const crew = createCrew({ count: 2, program, log, mostStarts: 3 })
    after(() => crew.stop())
    const before = [crew.start('later'), crew.start('later')]
    await Promise.all(before.map(({ begun }) => begun))
    await crew.renew()
    const isLeaving = before.map((member) => member.isLeaving)
    await crew.stop()
    return isLeaving
  }

  it('tries again, so that no two versions are left', async () => {
    assert.deepEqual(await renewed(2), [true, true])
    assert.ok(lines.some(({ msg }) => msg === 'all processes were replaced'))
  })

  it('says how many of each are left where it gives up', async () => {
    assert.deepEqual(await renewed(3), [true, false])
    const { replaced, kept } = lines.find(({ msg }) => msg.startsWith('a new process could not start')) ?? {}
    assert.deepEqual([replaced, kept], [1, 1])
  })
})

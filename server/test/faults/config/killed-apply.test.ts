import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { until } from '../../support/until.ts'

const LAUNCHER = fileURLToPath(new URL('../../../bin/portaria.mjs', import.meta.url))
const ENVIRONMENT = { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: 'https://sso.example.com' }

/** A file of many settings, so that its application takes a while: each round with other names and prices. */
function fileText(round: number): string {
  const plans = Array.from({ length: 150 }, (_, n) => `  plan-${n}: {name: Plan ${n} of ${round}, price: ${round * 1000 + n}}`)
  const products = Array.from({ length: 40 }, (_, n) => [
    `  app-${n}: {name: App ${n} of ${round}, audience: external, checkout: integrated, grace_days: {pix: ${round}},`,
    `    redirect_uris: ["https://app-${n}.example/${round}"]}`,
  ])
  return ['portaria: 1', 'plans:', ...plans, 'products:', ...products.flat()].join('\n')
}

eachDatabase('Settings whose application is killed', (database) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-killed-apply-'))
  after(() => rmSync(folder, { recursive: true }))
  let rounds = 0
  const nextFile = () => {
    const file = path.join(folder, `${++rounds}.yaml`)
    writeFileSync(file, fileText(rounds))
    return file
  }

  async function begin() {
    const where = await database.fresh()
    const portaria = commandLine(where, ENVIRONMENT)
    const first = nextFile()
    assert.equal((await portaria(['apply', first])).code, 0)
    const state = { before: first }
    /** Applies a file, killed at a moment, and answers whether it was; then all is as one of the two files says. */
    const kill = async (moment: (ended: Promise<unknown>) => Promise<unknown>) => {
      const file = nextFile()
      const environment = { ...process.env, DATABASE_URL: where.url, ...ENVIRONMENT }
      const child = spawn(process.execPath, [LAUNCHER, 'apply', file], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
      const ended = once(child, 'exit')
      await moment(ended)
      child.kill('SIGKILL')
      await ended
      return { file, wasKilled: child.signalCode === 'SIGKILL' }
    }
    const assertWhole = async (file: string) => {
      const isNew = (await portaria(['diff', file])).code === 0
      const isOld = (await portaria(['diff', state.before])).code === 0
      assert.notEqual(isNew, isOld, 'half of it')
      if (isNew) state.before = file
      return isNew
    }
    return { where, portaria, kill, assertWhole }
  }

  async function applyWhole({ portaria }: Awaited<ReturnType<typeof begin>>): Promise<void> {
    const last = nextFile()
    assert.equal((await portaria(['apply', last])).code, 0)
    assert.equal((await portaria(['diff', last])).code, 0)
  }

  it('are all as before or all as the file says, and the next application is whole', async () => {
    const begun = await begin()
    const startedAt = performance.now()
    const { file: whole } = await begun.kill((ended) => ended)
    const wholeMs = performance.now() - startedAt
    await begun.assertWhole(whole)
    let killed = 0
    // Each time later: from the start of the process to its end, on a machine as fast as this one.
    for (let ms = wholeMs / 4; ; ms *= 1.25) {
      const { file, wasKilled } = await begun.kill((ended) => Promise.race([ended, setTimeout(ms)]))
      await begun.assertWhole(file)
      if (!wasKilled) break
      killed++
    }
    assert.ok(killed > 0, 'one was killed at least')
    await applyWhole(begun)
  })

  if (database.name === 'sqlite') return // nobody else can have one of its rows

  it('are as before when it was killed in the middle of them', async () => {
    const begun = await begin()
    // Not by our own storage, whose transactions the server ends when they stand still.
    const [holder, watcher] = [new Client({ connectionString: begun.where.url }), new Client({ connectionString: begun.where.url })]
    await Promise.all([holder.connect(), watcher.connect()])
    await holder.query("begin; select id from products where slug = 'app-39' for update")
    const isWaiting = async () => {
      const waits = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      return (await watcher.query(waits)).rows.length > 0
    }
    const { file, wasKilled } = await begun.kill(() => until(isWaiting))
    await holder.query('commit')
    await until(async () => !(await isWaiting()))
    assert.ok(wasKilled, 'it was waiting')
    assert.equal(await begun.assertWhole(file), false)
    await holder.end()
    await watcher.end()
    await applyWhole(begun)
  })
})

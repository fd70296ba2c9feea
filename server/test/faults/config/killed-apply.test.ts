import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'

const LAUNCHER = fileURLToPath(new URL('../../../bin/portaria.mjs', import.meta.url))
const KILLS = 4
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

  it('are all as before or all as the file says, and the next application is whole', async () => {
    const where = await database.fresh()
    const portaria = commandLine(where, ENVIRONMENT)
    const files = Array.from({ length: KILLS + 2 }, (_, round) => {
      const file = path.join(folder, `${round}.yaml`)
      writeFileSync(file, fileText(round))
      return file
    })
    const first = files[0] ?? assert.fail()
    assert.equal((await portaria(['apply', first])).code, 0)
    let before = first
    let killed = 0
    for (const [round, file] of files.slice(1, -1).entries()) {
      const environment = { ...process.env, DATABASE_URL: where.url, ...ENVIRONMENT }
      const child = spawn(process.execPath, [LAUNCHER, 'apply', file], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
      const ended = once(child, 'exit')
      // Each round later: from the start of the process to the end of the transaction.
      await Promise.race([ended, setTimeout(400 + round * 300)])
      child.kill('SIGKILL')
      await ended
      if (child.signalCode === 'SIGKILL') killed++
      const isNew = (await portaria(['diff', file])).code === 0
      const isOld = (await portaria(['diff', before])).code === 0
      assert.notEqual(isNew, isOld, `round ${round}: half of it`)
      if (isNew) before = file
    }
    assert.ok(killed > 0, 'one was killed at least')
    const last = files.at(-1) ?? assert.fail()
    assert.equal((await portaria(['apply', last])).code, 0)
    assert.equal((await portaria(['diff', last])).code, 0)
  })
})

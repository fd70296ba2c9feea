import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { describe, it } from 'node:test'
import { judgePassword } from './judge-password.ts'

const SPELLED = 'p@$$w0rd'.repeat(8)

describe('The thread that judges passwords', () => {
  it('W2: judges as before, each answer to its own question', async () => {
    const judged = await Promise.all([
      judgePassword('anaflavia99', ['Ana Flávia']),
      judgePassword('girassol azul no telhado', ['Ana Flávia']),
      judgePassword('12345678', []),
    ])
    assert.deepEqual(judged, ['personal', undefined, 'common'])
  })

  it('W2: costs the event loop next to nothing, however long it takes', async () => {
    await judgePassword('warm', [])
    const before = process.threadCpuUsage()
    for (let n = 0; n < 10; n++) assert.equal(await judgePassword(SPELLED, []), 'common')
    const { user, system } = process.threadCpuUsage(before)
    assert.ok((user + system) / 1_000 < 100, `ten judgements took ${(user + system) / 1_000} ms of the event loop`)
  })

  it('W2: refuses whoever comes when too many wait, and goes on afterwards', async () => {
    const judged = await Promise.all(Array.from({ length: 40 }, () => judgePassword(SPELLED, [])))
    assert.equal(judged.filter((one) => one === 'busy').length, 8)
    assert.equal(judged.filter((one) => one === 'common').length, 32)
    assert.equal(await judgePassword(SPELLED, []), 'common')
  })

  it('W2: keeps no process alive', () => {
    const script = `import { judgePassword } from ${JSON.stringify(new URL('./judge-password.ts', import.meta.url).href)}; console.log(await judgePassword('12345678', []))`
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8', timeout: 30_000 })
    assert.deepEqual([status, stdout.trim()], [0, 'common'])
  })
})

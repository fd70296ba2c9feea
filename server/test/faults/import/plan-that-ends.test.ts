import assert from 'node:assert/strict'
import { it } from 'node:test'
import { importUsers } from '../../../src/admin/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startService } from '../../support/service.ts'

const LINES = 40

eachDatabase('An import of users', (database) => {
  it('goes on where a plan ends while its line is written', async () => {
    const { context } = await startService(await database.fresh())
    let time = Date.now()
    async function* lines() {
      for (let n = 0; n < LINES; n++) {
        // The next readings of the clock are those of its own portion.
        const plan = { plan: 'easy-pro', plan_until: new Date(time + 1 + (n % 6)).toISOString() }
        yield { line: n + 1, value: { email: `p${n}@example.com`, ...plan } }
      }
    }
    const deps = { ...context, taxIdKey: context.masterKeys.taxIdIndex, actor: 'operator:test', now: () => ++time, onLine: () => undefined }
    const counts = await importUsers(lines(), { mode: 'write', identities: 'import' }, deps)
    assert.deepEqual(counts, { added: LINES, known: 0, refused: 0 })
  })
})

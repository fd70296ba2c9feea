import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine } from '../../test/support/command-line.ts'
import { eachDatabase } from '../../test/support/databases.ts'
import { openStorage, parseDatabaseUrl } from '../storage/index.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

eachDatabase('The command setup-link', (database) => {
  it('makes the one-time address under PORTARIA_URL, good for thirty minutes, and keeps its hash alone', async () => {
    const at = await database.fresh()
    const portaria = commandLine(at, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: 'https://sso.example.com' })
    const from = Date.now()
    const made = await portaria('setup-link --json')
    assert.equal(made.code, 0, made.err)
    assert.deepEqual(Object.keys(made.json), ['url', 'expires_at'])
    const [, token = ''] = /^https:\/\/sso\.example\.com\/setup\?token=([\w-]{43})$/.exec(made.json.url) ?? assert.fail(made.json.url)
    const lifeMs = Date.parse(made.json.expires_at) - from
    assert.ok(lifeMs >= 30 * 60_000 && lifeMs < 31 * 60_000, String(lifeMs))
    const storage = await openStorage(parseDatabaseUrl(at.url) ?? assert.fail())
    const rows = [await storage.db.selectFrom('settings').selectAll().execute(), await storage.db.selectFrom('audit').selectAll().execute()]
    await storage.close()
    assert.ok(!JSON.stringify(rows).includes(token))
    const [entry] = (await portaria('audit list --action setup_link.create --json')).json
    assert.deepEqual([entry.actor, entry.after], ['operator:cli', { expiresAt: Date.parse(made.json.expires_at) }])
    const spoken = await portaria('setup-link')
    assert.match(spoken.out, /^ {2}https:\/\/sso\.example\.com\/setup\?token=[\w-]{43}\n\nOpen it in your browser within 30 minutes/)
    assert.ok(!spoken.out.includes(token))
  })

  it('makes none once anybody has a role, and says what to do instead', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria('user create --email ana@example.com --name Ana')
    assert.equal((await portaria('setup-link')).code, 0)
    await portaria('user set ana@example.com --role viewer')
    const refused = await portaria('setup-link --json')
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(
      refused.err,
      /^portaria: there is an administrator already: sign in at http:\/\/localhost:3000\/admin, or make another with/,
    )
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine } from '../../test/support/command-line.ts'
import { eachDatabase } from '../../test/support/databases.ts'
import { openStorage, parseDatabaseUrl } from '../storage/index.ts'

eachDatabase('The token commands', (database) => {
  it('make an admin token, show it this once and keep its hash alone', async () => {
    const at = await database.fresh()
    const portaria = commandLine(at)
    assert.match((await portaria('token list')).out, /^No admin tokens: make one with `portaria token create`\.\n$/)
    const line = ['token', 'create', '--name', 'nightly check', '--role', 'support', '--scope', 'webhooks:test', '--expires-days', '90']
    const made = await portaria([...line, '--json'])
    assert.equal(made.code, 0, made.err)
    const { token, ...shown } = made.json
    assert.match(token, /^adm_[0-9A-Za-z]{49}$/)
    assert.deepEqual(Object.keys(shown), ['id', 'name', 'role', 'scopes', 'hint', 'state', 'created_at', 'expires_at', 'revoked_at'])
    assert.deepEqual(
      [shown.name, shown.role, shown.scopes, shown.state, shown.revoked_at],
      ['nightly check', 'support', ['webhooks:test'], 'live', null],
    )
    assert.equal(Date.parse(shown.expires_at) - Date.parse(shown.created_at), 90 * 86_400_000)
    assert.equal(shown.hint, `${token.slice(0, 7)}…${token.slice(-4)}`)
    assert.deepEqual((await portaria('token list --json')).json, [shown])
    const [entry] = (await portaria('audit list --action token.create --json')).json
    const after = {
      name: 'nightly check',
      role: 'support',
      scopes: ['webhooks:test'],
      key: shown.hint,
      expiresAt: Date.parse(shown.expires_at),
    }
    assert.deepEqual([entry.actor, entry.target, entry.after], ['operator:cli', shown.id, after])
    const storage = await openStorage(parseDatabaseUrl(at.url) ?? assert.fail())
    const rows = JSON.stringify([
      await storage.db.selectFrom('admin_tokens').selectAll().execute(),
      await storage.db.selectFrom('audit').selectAll().execute(),
    ])
    assert.ok(!rows.includes(token))
    await storage.close()
    const spoken = await portaria(['token', 'create', '--name', 'all', '--role', 'owner'])
    assert.match(spoken.out, /^scopes +all of its role\nexpires +never\n\nAdmin token, shown this once, keep it now:\n {2}adm_\w{49}\n$/m)
  })

  it('list them newest first in pages, and revoke one for good', async () => {
    const portaria = commandLine(await database.fresh())
    for (const name of ['a', 'b', 'c']) await portaria(`token create --name ${name} --role viewer`)
    const all = (await portaria('token list --json')).json
    assert.deepEqual(
      all.map(({ name, scopes }: { name: string; scopes: string[] }) => [name, scopes]),
      [
        ['c', []],
        ['b', []],
        ['a', []],
      ],
    )
    const page = (await portaria('token list --json --limit 2')).json
    assert.deepEqual([...page, ...(await portaria(`token list --json --limit 2 --cursor ${page[1].id}`)).json], all)
    const { id } = all[1]
    assert.deepEqual((await portaria(`token revoke ${id} --json`)).json, { id, revoked: true })
    const again = await portaria(`token revoke ${id}`)
    assert.deepEqual([again.code, /no such token that is not revoked already: see `portaria token list`/.test(again.err)], [1, true])
    const states = (await portaria('token list --json')).json.map(({ state }: { state: string }) => state)
    assert.deepEqual(states, ['live', 'revoked', 'live'])
    const revocations = (await portaria('audit list --action token.revoke --json')).json
    assert.deepEqual(
      revocations.map(({ actor, target }: Record<string, string>) => [actor, target]),
      [['operator:cli', id]],
    )
  })

  it('refuse a role, a scope, a life or a name that none can have, and make nothing', async () => {
    const portaria = commandLine(await database.fresh())
    for (const [options, code, sentence] of [
      ['--name a', 2, /'--role <role>' not specified/],
      ['--name a --role king', 2, /Expected owner, support, viewer/],
      ['--name a --role owner --scope *', 2, /Expected overview:read, .*webhooks:test/],
      ['--name a --role owner --scope webhooks:*', 2, /Expected overview:read, .*webhooks:test/],
      ['--name a --role owner --expires-days 0', 2, /Expected a whole number, 1 to 3650/],
      ['--name a --role viewer --scope webhooks:test', 1, /a token of this role can't have the scope webhooks:test/],
      [`--name ${'x'.repeat(101)} --role owner`, 1, /one line of text, 100 characters at most/],
    ] as const) {
      const said = await portaria(`token create ${options}`)
      assert.deepEqual([said.code, sentence.test(said.err)], [code, true], said.err)
    }
    assert.deepEqual((await portaria('token list --json')).json, [])
  })
})

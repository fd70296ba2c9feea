import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { EVENT_TYPES } from '../../app-events/index.ts'
import { openStorage, parseDatabaseUrl } from '../../storage/index.ts'

eachDatabase('The endpoint commands', (database) => {
  it('make an endpoint, show its secret this once, and keep it sealed', async () => {
    const at = await database.fresh()
    const portaria = commandLine(at)
    assert.match((await portaria('endpoint list')).out, /^No endpoints: make one with `portaria endpoint add URL`\.\n$/)
    const made = await portaria(['endpoint', 'add', 'https://ops.example.com/hooks', '--description', 'ops', '--json'])
    assert.equal(made.code, 0, made.err)
    const { secret, ...shown } = made.json
    assert.match(secret, /^whsec_[0-9A-Za-z+/]{43}=$/)
    assert.deepEqual(
      [shown.product, shown.url, shown.state, shown.types.length],
      [null, 'https://ops.example.com/hooks', 'preparing', EVENT_TYPES.length],
    )
    assert.deepEqual((await portaria('endpoint list --json')).json, [shown])
    assert.deepEqual((await portaria(`endpoint show ${shown.id} --json`)).json, shown)
    const storage = await openStorage(parseDatabaseUrl(at.url) ?? assert.fail())
    const rows = JSON.stringify([
      await storage.db.selectFrom('event_endpoints').selectAll().execute(),
      await storage.db.selectFrom('audit').selectAll().execute(),
    ])
    await storage.close()
    assert.ok(!rows.includes(secret.slice(6)))
  })

  it('let an endpoint of a product hear of all but what is the operator’s alone', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria('product create --slug loja --name Loja --audience internal --checkout external')
    const { types } = (await portaria('endpoint add https://loja.example.com/hooks --product loja --json')).json
    assert.deepEqual(
      EVENT_TYPES.filter((type) => !types.includes(type)),
      ['endpoint.disabled'],
    )
  })

  it('rotate its secret, disable it, enable it and remove it, each audited', async () => {
    const portaria = commandLine(await database.fresh())
    const { id, secret } = (await portaria('endpoint add https://ops.example.com/hooks --type access.granted --json')).json
    const rotated = (await portaria(`endpoint rotate-secret ${id} --json`)).json
    assert.notEqual(rotated.secret, secret)
    const shown = (await portaria(`endpoint show ${id} --json`)).json
    assert.equal(shown.previous_secret_until, rotated.previous_secret_until)
    const disabled = (await portaria(`endpoint disable ${id} --json`)).json
    assert.deepEqual([disabled.state, disabled.disabled_reason], ['disabled', 'operator'])
    assert.match((await portaria(`endpoint disable ${id}`)).err, /it is so already/)
    assert.equal((await portaria(`endpoint enable ${id} --json`)).json.state, 'preparing')
    assert.deepEqual((await portaria(`endpoint remove ${id} --json`)).json, { id, deleted: true })
    assert.match((await portaria(`endpoint show ${id}`)).err, /there is no such endpoint/)
    const entries = (await portaria('audit list --json')).json
    assert.deepEqual(
      entries.map(({ action }: { action: string }) => action).filter((action: string) => action.startsWith('endpoint.')),
      ['endpoint.remove', 'endpoint.enable', 'endpoint.disable', 'endpoint.rotate_secret', 'endpoint.create'],
    )
  })

  it('change what is named and leave the rest', async () => {
    const portaria = commandLine(await database.fresh())
    const { id, secret: _, ...made } = (await portaria('endpoint add https://ops.example.com/hooks --type access.granted --json')).json
    const changed = await portaria(['endpoint', 'set', id, '--description', 'ops', '--json'])
    assert.deepEqual(changed.json, { id, ...made, description: 'ops' }, changed.err)
    const moved = await portaria(`endpoint set ${id} --url https://new.example.com/ --type access.revoked --json`)
    assert.deepEqual(moved.json, { id, ...made, description: 'ops', url: 'https://new.example.com/', types: ['access.revoked'] })
    assert.match((await portaria(`endpoint set ${id} --url http://new.example.com/`)).err, /the address must be https/)
    assert.equal((await portaria(`endpoint set ${id}`)).code, 2)
    assert.match((await portaria('endpoint set nobody --description x')).err, /there is no such endpoint/)
  })

  it('refuse an address, a type or a product that can not be, and make nothing', async () => {
    const portaria = commandLine(await database.fresh())
    assert.equal((await portaria('product create --slug loja --name Loja --audience internal --checkout external')).code, 0)
    for (const [options, code, sentence] of [
      ['http://ops.example.com/', 1, /the address must be https/],
      ['https://me:secret@ops.example.com/', 1, /the address must be https/],
      ['ftp://ops.example.com/', 1, /the address must be https/],
      ['nothing', 1, /the address must be https/],
      ['https://ops.example.com/ --type all', 2, /Expected access\.granted/],
      ['https://ops.example.com/ --product nenhum', 1, /there is no such product/],
      ['https://ops.example.com/ --product loja --type endpoint.disabled', 1, /for the operator's endpoints alone/],
    ] as const) {
      const said = await portaria(`endpoint add ${options}`)
      assert.deepEqual([said.code, sentence.test(said.err)], [code, true], said.err)
    }
    assert.deepEqual((await portaria('endpoint list --json')).json, [])
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine } from '../../test/support/command-line.ts'
import { eachDatabase } from '../../test/support/databases.ts'
import { startMailbox } from '../../test/support/mailbox.ts'
import { startService } from '../../test/support/service.ts'
import { listJobs } from '../outbox/records/record-store.ts'
import { deadLetterJob, pauseLane } from '../outbox/store.ts'
import { openStorage, parseDatabaseUrl } from '../storage/index.ts'
import { localTimeIn } from './command/local-time.ts'

const REFUSED = '550 5.1.1 no such mailbox here, and this line is longer than a table has room for'

eachDatabase('The outbox commands', (database) => {
  /** Three pending invitations, one or more of them given up; no service runs. */
  async function begin({ dead }: { dead: number }) {
    const url = await database.fresh()
    const portaria = commandLine(url)
    for (const name of ['ana', 'bia', 'caio']) await portaria(`user create --email ${name}@example.com --name ${name}`)
    const storage = await openStorage(parseDatabaseUrl(url.url) ?? assert.fail())
    const ids = (await listJobs(storage.db, { limit: 9 })).map(({ id }) => id)
    for (const id of ids.slice(0, dead)) await deadLetterJob(storage.db, id, { at: Date.UTC(2026, 0, 2), error: REFUSED })
    const lease = (id: string, until: number) =>
      storage.db.updateTable('outbox').set({ leased_until: until }).where('id', '=', id).execute()
    const audited = async (action: string) => (await portaria(`audit list --action ${action} --json`)).json
    const [first = '', second = '', third = ''] = ids
    return { url, portaria, storage, first, second, third, lease, audited }
  }

  it('list what waits and what was given up, in pages, and say why', async () => {
    const { portaria, storage, first, second, third, lease } = await begin({ dead: 1 })
    await lease(second, Date.now() + 60_000)
    const all = (await portaria('outbox list --json')).json
    assert.deepEqual(
      all.map(({ id, state }: { id: string; state: string }) => [id, state]),
      [
        [first, 'dead'],
        [second, 'running'],
        [third, 'pending'],
      ],
    )
    assert.deepEqual(Object.keys(all[0]), ['id', 'kind', 'state', 'attempts', 'created_at', 'run_at', 'dead_at', 'last_error'])
    assert.deepEqual([all[0].kind, all[0].dead_at, all[0].last_error], ['mail', '2026-01-02T00:00:00.000Z', REFUSED])
    assert.deepEqual((await portaria('outbox list --dead --json')).json, [all[0]])
    const page = (await portaria('outbox list --limit 2 --json')).json
    assert.deepEqual([...page, ...(await portaria(`outbox list --limit 2 --cursor ${page[1].id} --json`)).json], all)
    assert.match((await portaria('outbox list --limit 2')).out, new RegExp(`There may be more: add --cursor ${second}`))
    assert.match((await portaria('outbox list')).out, /^ID +KIND +STATE +ATTEMPTS +CREATED +DUE +LAST ERROR\n.+dead.+550 5\.1\.1 .+…$/m)
    assert.deepEqual((await portaria(`outbox show ${first} --json`)).json, all[0])
    assert.match((await portaria(`outbox show ${first}`)).out, new RegExp(`^last error +${REFUSED}$`, 'm'))
    await storage.close()
  })

  it('never show what is in a job, which may be a one-time link', async () => {
    const { portaria, storage, first } = await begin({ dead: 3 })
    const rows = await storage.db.selectFrom('outbox').select('payload_sealed').execute()
    let said = ''
    for (const line of [
      'outbox list',
      `outbox show ${first}`,
      `outbox retry ${first}`,
      `outbox drop ${first} --reason gone`,
      'outbox retry --all',
      'audit list',
    ])
      for (const form of [line, `${line} --json`]) {
        const { out, err } = await portaria(form)
        said += out + err
      }
    assert.match(said, /Dropped/)
    assert.doesNotMatch(said, /ticket|http|payload|@example|\bana\b/)
    for (const { payload_sealed } of rows) assert.ok(!said.includes(payload_sealed))
    await storage.close()
  })

  it('send a dead letter after all, one or all of them, and what waits before its time, and leave a trace', async () => {
    const { url, portaria, storage, first, second, third, audited } = await begin({ dead: 2 })
    const later = Date.now() + 3_600_000
    await storage.db.updateTable('outbox').set({ run_at: later, attempts: 5 }).where('id', '=', third).execute()
    const mailbox = await startMailbox()
    const service = await startService(url, { environment: { PORTARIA_SMTP_URL: mailbox.url } })
    service.clock.now += 60_000 // its clock stands still, and the command line's does not
    const again = await portaria(`outbox retry ${second} --json`)
    assert.deepEqual([again.code, again.json.state, again.json.attempts, again.json.dead_at], [0, 'pending', 0, null])
    await mailbox.find('bia@example.com')
    assert.deepEqual((await portaria('outbox retry --all --json')).json, { retried: 1 })
    await mailbox.find('ana@example.com')
    assert.equal(Date.parse((await portaria(`outbox show ${third} --json`)).json.run_at), later)
    assert.match((await portaria(`outbox retry ${third}`)).out, /^It is due now\./)
    await mailbox.find('caio@example.com')
    await service.stop()
    assert.equal(mailbox.mails.length, 3)
    assert.equal((await portaria('outbox list')).out, 'Nothing waits.\n')
    assert.equal((await portaria('outbox retry --all')).out, 'No dead letters.\n')
    assert.match((await portaria(`outbox retry ${first}`)).err, /no such job, or it has been done/)
    assert.deepEqual(
      (await audited('outbox.retry')).map(({ actor, target, before }: { actor: string; target: string; before: unknown }) => [
        actor,
        target,
        before,
      ]),
      [
        ['operator:cli', third, { kind: 'mail', attempts: 5, dead: false }],
        ['operator:cli', second, { kind: 'mail', attempts: 0, dead: true }],
      ],
    )
    assert.deepEqual(
      (await audited('outbox.retry_all')).map(({ actor, after }: { actor: string; after: unknown }) => [actor, after]),
      [['operator:cli', { count: 1 }]],
    )
    await storage.close()
  })

  it('drop a job for good, and record who, what and why', async () => {
    const { portaria, storage, first, second, third, audited } = await begin({ dead: 1 })
    assert.deepEqual((await portaria(['outbox', 'drop', first, '--reason', ' '])).code, 2)
    const line = ['outbox', 'drop', first, '--reason', 'the address was a typo', '--json']
    assert.deepEqual((await portaria(line)).json, { id: first, kind: 'mail', dropped: true, failed_notification_id: null })
    const again = await portaria(line)
    assert.deepEqual([again.code, /no such job/.test(again.err)], [1, true])
    assert.deepEqual(
      (await portaria('outbox list --json')).json.map(({ id }: { id: string }) => id),
      [second, third],
    )
    assert.equal((await portaria('outbox list --dead')).out, 'No dead letters.\n')
    const entries = await audited('outbox.drop')
    assert.equal(entries.length, 1)
    const { actor, target, before, reason } = entries[0]
    assert.deepEqual(
      [actor, target, before, reason],
      ['operator:cli', first, { kind: 'mail', attempts: 0, dead: true }, 'the address was a typo'],
    )
    await storage.close()
  })

  it('show that a job whose gateway wants to be left alone is due after that, and retry does not go before it', async () => {
    const { portaria, storage, second } = await begin({ dead: 1 })
    await storage.db.updateTable('outbox').set({ lane: 'asaas/school' }).execute()
    const until = Date.now() + 3_600_000
    await pauseLane(storage.db, 'asaas/school', until)
    const dues = (await portaria('outbox list --json')).json.map(({ run_at }: { run_at: string }) => Date.parse(run_at) === until)
    assert.deepEqual(dues, [false, true, true], 'a dead letter is not due')
    assert.equal(Date.parse((await portaria(`outbox show ${second} --json`)).json.run_at), until)
    const said = await portaria(`outbox retry ${second}`)
    assert.equal(said.code, 0)
    assert.ok(said.out.startsWith(`Its gateway wants to be left alone until ${localTimeIn('America/Sao_Paulo')(until)}. See `), said.out)
    await storage.close()
  })

  it('leave a job alone that is being tried, and take it up when its worker has died', async () => {
    const { portaria, storage, second, third, lease, audited } = await begin({ dead: 0 })
    for (const id of [second, third]) await lease(id, Date.now() + 60_000)
    for (const line of [`outbox retry ${second}`, `outbox drop ${third} --reason gone`]) {
      const said = await portaria(line)
      assert.deepEqual([said.code, /being tried at this moment/.test(said.err)], [1, true])
    }
    assert.deepEqual([await audited('outbox.retry'), await audited('outbox.drop')], [[], []])
    for (const id of [second, third]) await lease(id, Date.now() - 1)
    assert.equal((await portaria(`outbox retry ${second}`)).code, 0)
    assert.equal((await portaria(`outbox drop ${third} --reason gone`)).code, 0)
    await storage.close()
  })
})

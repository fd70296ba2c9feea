import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createUser } from '../../src/admin/index.ts'
import { openStorage, type Storage } from '../../src/storage/index.ts'
import { requestDeletion } from '../../src/users/index.ts'
import { eachDatabase } from '../support/databases.ts'
import { isLive, sessionOf } from '../support/faults/actions.ts'
import { freePort } from '../support/free-port.ts'
import { linkIn, startMailbox } from '../support/mailbox.ts'
import { ageLeases, environmentBeside, spawnServer, startServer } from '../support/server-process.ts'
import { PASSWORD, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A worker that died keeps its job for this long. */
const LEASE_MS = 60_000
const WEEK = 7 * 86_400_000
const ASKING = 6
const DUE = 24

/** Accounts that nobody signs in to and whose time has come. */
async function makeDue({ context, clock }: TestService): Promise<string[]> {
  const { storage, sealer, masterKeys } = context
  const ids: string[] = []
  for (let n = 0; n < DUE; n++) {
    const input = { email: `vai${n}@exemplo.com.br`, name: 'Vai Embora', password: undefined, role: undefined, verified: true }
    const made = await createUser({ ...input, isProducer: false, isBeta: false }, { ...context, actor: 'operator:cli' })
    if ('refusal' in made) throw new Error(made.refusal)
    const circumstances = { now: () => clock.now - WEEK, ip: '192.0.2.1', sealer, codeKey: masterKeys.ticketCode }
    await storage.transaction((tx) => requestDeletion(tx, made, circumstances))
    ids.push(made.id)
  }
  return ids
}

eachDatabase('A deletion, when the service is killed', (database) => {
  const look = async (service: TestService, context: TestContext): Promise<Storage['db']> => {
    const storage = await openStorage(service.config.database)
    context.after(() => storage.close())
    return storage.db
  }
  const idsIn = async (db: Storage['db'], table: 'users' | 'deletion_requests') =>
    table === 'users'
      ? (await db.selectFrom('users').select('id').execute()).map(({ id }) => id)
      : (await db.selectFrom('deletion_requests').select('user_id').execute()).map(({ user_id }) => user_id)

  it('that was asked for is asked for as a whole or not at all, holds if it was answered, and its mail comes', async (context) => {
    const mailbox = await startMailbox()
    const hand = await startService(await database.fresh())
    const users = await Promise.all(Array.from({ length: ASKING }, (_, n) => hand.user(`adeus${n}@exemplo.com.br`)))
    const environment = { ...environmentBeside(hand, { port: await freePort() }), PORTARIA_SMTP_URL: mailbox.url }
    await hand.stop()
    const first = await startServer(environment)
    const signedIn = await Promise.all(
      users.map(async ({ id, email }) => {
        const browser = first.browser()
        assert.equal((await browser.signIn('/login', { email, password: PASSWORD })).status, 302)
        return { id, email, browser, token: sessionOf(browser) }
      }),
    )
    const answered = new Set<string>()
    const asking = signedIn.map(async ({ email, browser }) => {
      if ((await browser.submit('/account/delete', { email })).status === 200) answered.add(email)
    })
    await Promise.any(asking)
    first.child.kill('SIGKILL')
    await Promise.allSettled([...asking, first.exited])
    assert.ok(answered.size > 0)

    const db = await look(hand, context)
    const asked = await idsIn(db, 'deletion_requests')
    await ageLeases({ db }, LEASE_MS)
    const second = await startServer(environment)
    for (const { id, email, token } of signedIn) {
      const isAsked = asked.includes(id)
      assert.ok(isAsked || !answered.has(email), 'a request that was answered is gone')
      assert.equal(await isLive(second, token), !isAsked)
      const { status } = await second.browser().signIn('/login', { email, password: PASSWORD })
      assert.equal(status, isAsked ? 403 : 302)
      if (isAsked) await mailbox.find(email, ({ text }) => text?.includes('/undo-deletion') ?? false)
    }
    const [email = ''] = answered
    const link = linkIn(await mailbox.find(email, ({ text }) => text?.includes('/undo-deletion') ?? false), '/undo-deletion')
    const ticket = new URL(link, second.url).searchParams.get('ticket') ?? ''
    assert.equal((await second.browser().submit('/undo-deletion', { ticket })).status, 200)
    second.child.kill('SIGKILL')
    await second.exited
    const third = await startServer(environment)
    assert.equal((await third.browser().signIn('/login', { email, password: PASSWORD })).status, 302)
    assert.equal((await third.browser().submit('/undo-deletion', { ticket })).status, 400)
  })

  it('whose time has come happens to each as a whole and once, at the start, however often it is killed in between', async (context) => {
    const hand = await startService(await database.fresh())
    const stays = await hand.user('fica@exemplo.com.br')
    const due = await makeDue(hand)
    const environment = environmentBeside(hand, { port: await freePort() })
    const db = await look(hand, context)
    await hand.stop()
    let left = due.length
    let halves = 0
    for (const round of [0, 1, 2]) {
      const server = spawnServer(environment)
      await until(async () => (await idsIn(db, 'deletion_requests')).length < left)
      // In the midst of the first ones, then a little later.
      await wait(round * 10)
      server.child.kill('SIGKILL')
      await server.exited
      const [users, requests] = [await idsIn(db, 'users'), await idsIn(db, 'deletion_requests')]
      assert.deepEqual(users.filter((id) => id !== stays.id).sort(), requests.sort(), 'somebody went by halves')
      left = requests.length
      if (left === 0) break
      halves++
    }
    assert.ok(halves > 0, 'nobody was left when it was killed: it shows nothing')
    await startServer(environment)
    await until(async () => (await idsIn(db, 'deletion_requests')).length === 0)
    const done = await db.selectFrom('audit').select('target').where('action', '=', 'user.delete').execute()
    assert.deepEqual(done.map(({ target }) => target).sort(), due.sort())
    assert.deepEqual(await idsIn(db, 'users'), [stays.id])
  })
})

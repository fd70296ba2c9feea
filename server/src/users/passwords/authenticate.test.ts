import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { eachDatabase } from '../../../test/support/databases.ts'
import { limitStore } from '../../rate-limits/index.ts'
import { openStorage, parseDatabaseUrl, type Storage } from '../../storage/index.ts'
import { insertUser } from '../insert-user.ts'
import { userStore } from '../store.ts'
import { createAttempts } from './attempts.ts'
import { createAuthenticator } from './authenticate.ts'
import { createDeviceCookies } from './device-cookie.ts'
import { passwordStore } from './password-store.ts'
import { createPasswordHasher } from './passwords.ts'

const START = 1_800_000_000_000
const PASSWORD = 'correct horse battery'
const attempt = (password: string, address = '192.0.2.1') => ({
  email: 'ana@exemplo.com.br',
  password,
  address,
  deviceCookie: undefined,
})

eachDatabase('What a sign-in costs', (database) => {
  const opened: Storage[] = []
  after(() => Promise.all(opened.map((storage) => storage.close())))

  /** A user with a password, and a record of the queries during its check. */
  async function begin(cores = 1) {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    opened.push(storage)
    const asked = { reads: 0, writes: 0 }
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        if (node.kind === 'SelectQueryNode') asked.reads++
        else asked.writes++
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const db = storage.db.withPlugin(counting)
    const passwords = createPasswordHasher({ cores })
    const passwordHash = await passwords.hash(PASSWORD)
    if (passwordHash === 'busy') assert.fail()
    const user = {
      email: 'ana@exemplo.com.br',
      name: 'Ana',
      passwordHash,
      role: undefined,
      verified: true,
      isProducer: false,
      isBeta: false,
    }
    const inserted = await storage.transaction((tx) => insertUser(tx, user, { now: () => START, actor: 'test' }))
    const { id } = 'refusal' in inserted ? assert.fail(inserted.refusal) : inserted
    const attempts = createAttempts({ limits: limitStore(db), now: () => START })
    const devices = createDeviceCookies(Buffer.alloc(32, 1))
    const authenticate = createAuthenticator({ users: userStore(db), hashes: passwordStore(db), passwords, devices, attempts })
    const costOf = async (work: () => Promise<unknown>) => {
      Object.assign(asked, { reads: 0, writes: 0 })
      const answer = await work()
      return { answer, ...asked }
    }
    return { id, passwords, authenticate, costOf, storage }
  }

  it('F6: one that finds the line full is refused before the database is asked anything', async () => {
    const { passwords, authenticate, costOf } = await begin()
    const places = Array.from({ length: 65 }, () => passwords.enter())
    assert.ok(!places.includes('busy'))
    assert.deepEqual(await costOf(() => authenticate(attempt(PASSWORD))), {
      answer: { refusal: 'busy', userId: undefined },
      reads: 0,
      writes: 0,
    })
    for (const place of places) if (place !== 'busy') place.leave()
    assert.ok('user' in (await authenticate(attempt(PASSWORD))))
  })

  it('F6: a wrong password is one write, a right one two, and one past a limit none', async () => {
    const { id, authenticate, costOf } = await begin()
    assert.equal((await costOf(() => authenticate(attempt(PASSWORD)))).writes, 2)
    for (let i = 0; i < 10; i++) {
      const { answer, writes } = await costOf(() => authenticate(attempt('wrong')))
      assert.deepEqual({ answer, writes }, { answer: { refusal: 'wrong_credentials', userId: id }, writes: 1 })
    }
    const { answer, writes } = await costOf(() => authenticate(attempt(PASSWORD)))
    assert.deepEqual({ answer, writes }, { answer: { refusal: 'too_many_attempts', retryAfterSeconds: 900, userId: id }, writes: 0 })
    assert.ok('user' in (await authenticate(attempt(PASSWORD, '198.51.100.1'))), 'from elsewhere they still come in')
  })

  it('F6: what one limit refuses counts for no other, however many come at once', async () => {
    const { authenticate, storage } = await begin(2)
    const answers = await Promise.all(Array.from({ length: 40 }, () => authenticate(attempt('wrong'))))
    const refused = answers.filter((answer) => 'refusal' in answer && answer.refusal === 'too_many_attempts')
    assert.equal(refused.length, 30)
    const rows = await storage.db.selectFrom('rate_limits').select('count').execute()
    assert.deepEqual(new Set(rows.map(({ count }) => count)), new Set([10]))
  })

  it('F6: passwords are served in the order in which they came, whatever is done for them in between', async () => {
    const { passwords } = await begin(1)
    const places = Array.from({ length: 6 }, () => passwords.enter())
    const served: number[] = []
    // The first starts at once; the others get ready in reverse order while it runs.
    const order = [0, 5, 3, 4, 1, 2]
    await Promise.all(
      order.map(async (number) => {
        const place = places[number]
        if (place === undefined || place === 'busy') throw new Error('no place')
        await place.verify('anything', undefined)
        served.push(number)
        place.leave()
      }),
    )
    assert.deepEqual(served, [0, 1, 2, 3, 4, 5])
  })
})

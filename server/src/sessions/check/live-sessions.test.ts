import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { eachDatabase } from '../../../test/support/databases.ts'
import { type Change, type ChangeEvent, type ChangeFeed, createChangeFeed } from '../../changes/index.ts'
import { DAY_MS, fixedClock, MINUTE_MS } from '../../kit/index.ts'
import { migrate, openStorage, parseDatabaseUrl, type Storage } from '../../storage/index.ts'
import { insertUser, userStore } from '../../users/index.ts'
import { endSession } from '../ends/end-session.ts'
import { endSessionsOfUser } from '../ends/end-sessions-of-user.ts'
import { startSession } from '../start.ts'
import { createLiveSessions } from './live-sessions.ts'

const START = 1_800_000_000_000
const ORIGIN = { ip: '192.0.2.1', userAgent: 'test' }

eachDatabase('The memory of live sessions', (database) => {
  const opened: Storage[] = []
  after(() => Promise.all(opened.map((storage) => storage.close())))

  /** A user with a session, and a memory whose reads can be paused after the database has answered. */
  async function begin() {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    opened.push(storage)
    await migrate(storage)
    const clock = { now: START }
    const now = () => clock.now
    const changes = createChangeFeed({ storage, clock: fixedClock(now), onFault: (fault) => assert.match(String(fault), /not being read/) })
    await changes.start()
    after(() => changes.stop())
    const input = {
      email: 'ana@exemplo.com.br',
      name: 'Ana',
      passwordHash: 'hash',
      role: undefined,
      verified: true,
      isProducer: false,
      isBeta: false,
    }
    const user = await changes.transaction((tx) => insertUser(tx, input, { now, actor: 'test' }))
    if ('refusal' in user) assert.fail(user.refusal)
    const startOne = async () => {
      const started = await startSession(
        { userId: user.id, factor: { kind: 'password', passwordHash: 'hash' }, factors: 'one' },
        { boundSecret: undefined, origin: ORIGIN },
        { storage, changes, now },
      )
      return started?.session.id ?? assert.fail()
    }
    const reads = { count: 0, onAnswer: async () => {} }
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        reads.count++
        await reads.onAnswer()
        return result
      },
    }
    const sessions = createLiveSessions({ storage: { ...storage, db: storage.db.withPlugin(counting) }, changes, now })
    const change = (what: Change) => changes.transaction(async (_tx, announce) => announce(what))
    return { storage, changes, sessions, reads, clock, now, user, sessionId: await startOne(), startOne, change }
  }

  /** Runs `meanwhile` once, after the next read of the database and before its answer is used. */
  function during(reads: { onAnswer: () => Promise<void> }, meanwhile: () => Promise<unknown>) {
    reads.onAnswer = async () => {
      reads.onAnswer = async () => {}
      await meanwhile()
    }
  }

  it('asks the database once, and then no more', async () => {
    const { sessions, reads, sessionId, user } = await begin()
    for (let i = 0; i < 5; i++) assert.equal((await sessions.find(sessionId))?.userId, user.id)
    assert.equal(reads.count, 1)
    assert.equal(await sessions.find('0190a000-0000-7000-8000-000000000000'), undefined)
  })

  it('forgets a session that ends, and one whose user changes', async () => {
    const { sessions, sessionId, changes, user, now, storage } = await begin()
    const before = await sessions.find(sessionId)
    await changes.transaction(async (tx, announce) => {
      await userStore(tx).update({ ...user, name: 'Ana Clara' }, now())
      announce({ kind: 'user_changed', subject: user.id })
    })
    assert.equal(before?.stale, true)
    assert.equal((await sessions.find(sessionId))?.claims.name, 'Ana Clara')
    await storage.transaction(async () => {})
    await changes.transaction((tx, announce) => endSession(tx, sessionId, 'signed_out', { announce, now }))
    assert.equal(await sessions.find(sessionId), undefined)
    assert.equal(sessions.size(), 0)
  })

  it('is never filled by a read that began before the session ended', async () => {
    const { sessions, reads, sessionId, changes, now } = await begin()
    during(reads, () => changes.transaction((tx, announce) => endSession(tx, sessionId, 'signed_out', { announce, now })))
    assert.equal(await sessions.find(sessionId), undefined)
    assert.equal(await sessions.find(sessionId), undefined)
  })

  it('is never filled by a read that began before its user was disabled or changed', async () => {
    const { sessions, reads, sessionId, changes, user, now } = await begin()
    during(reads, () =>
      changes.transaction(async (tx, announce) => {
        await userStore(tx).update({ ...user, isProducer: true }, now())
        announce({ kind: 'user_changed', subject: user.id })
      }),
    )
    assert.equal((await sessions.find(sessionId))?.claims.isProducer, true)
    sessions.forgetEverything()
    during(reads, () => changes.transaction((tx, announce) => endSessionsOfUser(tx, user.id, 'disabled', { announce, now })))
    assert.equal(await sessions.find(sessionId), undefined)
  })

  it('is never filled by a read that began before everything was to be forgotten', async () => {
    const { sessions, reads, sessionId, storage } = await begin()
    during(reads, async () => {
      await storage.db.updateTable('users_company').set({ name: 'Ana Clara' }).execute()
      sessions.forgetEverything()
    })
    assert.equal((await sessions.find(sessionId))?.claims.name, 'Ana Clara')
  })

  it('is forgotten whole at once, but for the times at which sessions were used', async () => {
    const { sessions, reads, sessionId, startOne, clock } = await begin()
    const all = await Promise.all([sessionId, await startOne()].map((id) => sessions.find(id)))
    clock.now += 5_000
    for (const session of all) sessions.note(session ?? assert.fail())
    sessions.forgetEverything()
    assert.deepEqual([all.map((session) => sessions.isStale(session ?? assert.fail())), sessions.size()], [[true, true], 0])
    const again = await sessions.find(sessionId)
    assert.deepEqual([sessions.isStale(again ?? assert.fail()), reads.count], [false, 3])
    const seen = await sessions.takeLastSeen()
    assert.deepEqual(
      all.map((session) => seen.get(session?.id ?? '')),
      [clock.now, clock.now],
    )
    assert.equal((await sessions.takeLastSeen()).size, 0)
  })

  it('lets go of what has expired, or what nobody has used for a day, when the times are taken', async () => {
    const { sessions, sessionId, startOne, clock } = await begin()
    const [used, unused] = [sessionId, await startOne()]
    for (const id of [used, unused]) await sessions.find(id)
    clock.now += DAY_MS
    await sessions.takeLastSeen()
    assert.equal(sessions.size(), 2)
    sessions.note((await sessions.find(used)) ?? assert.fail())
    clock.now += 1
    assert.deepEqual([...(await sessions.takeLastSeen()).keys()], [used], 'no time is taken twice')
    assert.equal(sessions.size(), 1)
    clock.now += 29 * DAY_MS
    await sessions.takeLastSeen()
    assert.equal(sessions.size(), 0)
  })

  it('is never filled by a read whose answer is on its way while the session ends', async () => {
    const { storage, sessionId, now } = await begin()
    for (let later = 0; later < 20; later++) {
      let reads = 0
      let hear = (_change: ChangeEvent) => {}
      const endDuringFirst: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (reads++ === 0) void promises(later).then(() => hear({ kind: 'session_ended', subject: sessionId }))
          return result
        },
      }
      const follow = (follower: typeof hear) => {
        hear = follower
      }
      const changes = { follow, knowledge: () => 'current' } as unknown as ChangeFeed
      const sessions = createLiveSessions({ storage: { ...storage, db: storage.db.withPlugin(endDuringFirst) }, changes, now })
      await sessions.find(sessionId)
      await new Promise(setImmediate)
      await sessions.find(sessionId)
      assert.ok(reads > 1, `the end came ${later} promises after the answer, and was missed`)
    }
  })

  it('answers in a storm of changes without keeping what it can not be sure of', async () => {
    const { sessions, reads, sessionId, user, change } = await begin()
    reads.onAnswer = () => change({ kind: 'user_changed', subject: user.id })
    const found = await sessions.find(sessionId)
    reads.onAnswer = async () => {}
    assert.equal(found?.stale, true)
    assert.equal(sessions.size(), 0)
    assert.equal((await sessions.find(sessionId))?.stale, false)
  })

  it("keeps one user's sessions when another user's change", async () => {
    const { sessions, reads, sessionId, change } = await begin()
    await sessions.find(sessionId)
    await change({ kind: 'user_changed', subject: 'somebody-else' })
    await change({ kind: 'session_ended', subject: 'another-session' })
    await sessions.find(sessionId)
    assert.equal(reads.count, 1)
  })

  it('ends with the session: thirty days after its beginning, whatever is remembered', async () => {
    const { sessions, sessionId, clock, changes } = await begin()
    clock.now += 30 * DAY_MS - 1
    await changes.stop()
    assert.ok(await sessions.find(sessionId))
    clock.now += 1
    assert.equal(await sessions.find(sessionId), undefined)
  })

  it('is gone by for fifteen minutes without events, and not a moment longer', async () => {
    const { sessions, reads, sessionId, clock, changes } = await begin()
    await sessions.find(sessionId)
    await changes.stop()
    clock.now = changes.lastLookAt() + 15 * MINUTE_MS
    assert.equal(sessions.isTrusted(), false, 'a look comes first')
    assert.equal(await changes.refresh(), 'away')
    assert.equal(sessions.isTrusted(), true)
    await sessions.find(sessionId)
    assert.equal(reads.count, 1)
    clock.now += 1
    assert.equal(await changes.refresh(), 'lost')
    assert.equal(sessions.isTrusted(), false)
    await sessions.find(sessionId)
    assert.equal(reads.count, 2)
  })
})

/** Resolves after as many promises in turn. */
async function promises(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await undefined
}

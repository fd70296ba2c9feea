import assert from 'node:assert/strict'
import { backup, DatabaseSync } from 'node:sqlite'
import { after, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type KyselyPlugin, sql } from 'kysely'
import { eachDatabase } from '../../test/support/databases.ts'
import { until } from '../../test/support/until.ts'
import { DAY_MS, fixedClock, HOUR_MS, MINUTE_MS } from '../kit/index.ts'
import { migrate, openStorage, parseDatabaseUrl, readSetting, type Storage, writeSetting } from '../storage/index.ts'
import { type ChangeEvent, type ChangeFeed, createChangeFeed } from './index.ts'
import { appendChanges } from './store.ts'

const START = 1_800_000_000_000

interface Node {
  storage: Storage
  feed: ChangeFeed
  clock: { now: number }
  events: ChangeEvent[]
  faults: unknown[]
  /** As PostgreSQL does after a change. */
  notify(): void
  /**
   * While set, every read of the feed fails; `nextList`: the next one that asks for changes, once it has asked which server it is;
   * `silence`: each gets its answer after it. */
  away: { since: Error | undefined; nextList?: Error | undefined; silence?: Promise<void> | undefined }
}

/** Restores a copy of a SQLite database into the open file, as the sqlite3 shell's ".restore" does. */
async function restoreInPlace(url: string): Promise<void> {
  const file = url.replace('sqlite:', '')
  const copy = `${file}.copy`
  const source = new DatabaseSync(file)
  await backup(source, copy)
  source.close()
  const from = new DatabaseSync(copy)
  await backup(from, file)
  from.close()
}

eachDatabase('The change feed', (database) => {
  const nodes: Node[] = []
  after(async () => {
    for (const { feed } of nodes) await feed.stop()
    for (const { storage } of nodes) await storage.close()
  })
  const openNode = async (url: string, clock = { now: START }): Promise<Node> => {
    const storage = await openStorage(parseDatabaseUrl(url) ?? assert.fail())
    await migrate(storage)
    const away: Node['away'] = { since: undefined }
    const failing: KyselyPlugin = {
      transformQuery({ node }) {
        if (away.since) throw away.since
        const { nextList } = away
        if (!nextList || node.kind !== 'SelectQueryNode') return node
        away.nextList = undefined
        throw nextList
      },
      async transformResult({ result }) {
        await away.silence
        return result
      },
    }
    const faults: unknown[] = []
    let notify: () => void = () => assert.fail('the feed is not open')
    const feed = createChangeFeed({
      storage: {
        ...storage,
        openFeed: (onNotify) => {
          notify = onNotify
          const feed = storage.openFeed(onNotify)
          return { ...feed, db: feed.db.withPlugin(failing) }
        },
      },
      clock: fixedClock(() => clock.now),
      onFault: (fault) => faults.push(fault),
    })
    const events: ChangeEvent[] = []
    feed.follow((change) => events.push(change))
    const node = { storage, feed, clock, events, faults, away, notify: () => notify() }
    nodes.push(node)
    return node
  }
  const startNode = async (url: string, clock?: { now: number }): Promise<Node> => {
    const node = await openNode(url, clock)
    await node.feed.start()
    assert.deepEqual(node.events.splice(0), [{ kind: 'everything_changed' }])
    return node
  }
  const ended = (subject: string) => ({ kind: 'session_ended', subject }) as const
  const say = (node: Node, subject: string) => node.feed.transaction(async (_tx, announce) => announce(ended(subject)))

  it('notifies the node that made a change before the change is answered, and every other node within two seconds', async () => {
    const { url } = await database.fresh()
    const [a, b] = [await startNode(url), await startNode(url)]
    await say(a, 'one')
    assert.deepEqual(a.events[0], ended('one'))
    await until(() => b.events.length > 0, 2_000)
    assert.deepEqual(b.events, [ended('one')])
  })

  it('says nothing of a transaction that was rolled back', async () => {
    const { url } = await database.fresh()
    const [a, b] = [await startNode(url), await startNode(url)]
    const failing = a.feed.transaction(async (tx, announce) => {
      announce(ended('never'))
      await writeSetting(tx, 'never', '1')
      throw new Error('half way')
    })
    await assert.rejects(failing, /half way/)
    await say(a, 'after')
    await until(() => b.events.length > 0, 2_000)
    assert.deepEqual(b.events, [ended('after')])
    assert.ok(!a.events.some((events) => 'subject' in events && events.subject === 'never'))
    assert.equal(await readSetting(a.storage.db, 'never'), undefined)
  })

  it('passes on a flood of changes whole, once each and in their order', async () => {
    const { url } = await database.fresh()
    const [a, b] = [await startNode(url), await startNode(url)]
    const subjects = Array.from({ length: 2_500 }, (_, i) => `s${i}`)
    await a.feed.transaction(async (_tx, announce) => subjects.forEach((subject) => void announce(ended(subject))))
    await say(a, 'last')
    await until(() => b.events.length > subjects.length, 4_000)
    assert.deepEqual(b.events, [...subjects, 'last'].map(ended))
  })

  it('passes over a kind that only a newer version knows', async () => {
    const { url } = await database.fresh()
    const [a, b] = [await startNode(url), await startNode(url)]
    await a.storage.db.insertInto('changes').values({ kind: 'subject_changed', subject: 'x', at: START }).execute()
    await say(a, 'known')
    await until(() => b.events.length > 0, 2_000)
    assert.deepEqual(b.events, [ended('known')])
  })

  it('notifies a node that was cut off of what it missed, and how old its knowledge is meanwhile', async () => {
    const { url } = await database.fresh()
    const [a, b] = [await startNode(url), await startNode(url)]
    const cutOffAt = b.clock.now
    b.away.since = new Error('cut off')
    b.clock.now += 22 * HOUR_MS
    await say(a, 'missed')
    await until(() => b.faults.length > 0, 2_000)
    assert.equal(b.feed.lastLookAt(), cutOffAt)
    b.away.since = undefined
    await until(() => b.events.length > 0, 2_000)
    assert.deepEqual(b.events, [ended('missed')])
    assert.equal(b.feed.lastLookAt(), b.clock.now)
  })

  it('is kept for a day; a node that was cut off for longer forgets everything', async () => {
    const { url } = await database.fresh()
    const [a, b] = [await startNode(url), await startNode(url)]
    b.away.since = new Error('cut off')
    await say(a, 'forgotten')
    a.clock.now += DAY_MS
    await a.feed.forgetOld()
    assert.equal((await a.storage.db.selectFrom('changes').selectAll().execute()).length, 1, 'a day old to the millisecond is kept')
    await say(a, 'kept')
    a.clock.now += 1
    await a.feed.forgetOld()
    assert.deepEqual(
      (await a.storage.db.selectFrom('changes').select('subject').execute()).map(({ subject }) => subject),
      ['kept'],
    )
    b.clock.now += DAY_MS + 1
    b.away.since = undefined
    await until(() => b.events.length > 0, 2_000)
    assert.deepEqual(b.events, [{ kind: 'everything_changed' }])
    await say(a, 'next')
    await until(() => b.events.length > 1, 2_000)
    assert.deepEqual(b.events[1], ended('next'))
  })

  /** A restored dump: its rows, and the next number of its time. */
  const putBack = async ({ storage }: Node, rows: Array<{ seq: number; kind: string; subject: string; at: number }>) => {
    await storage.transaction(async (tx) => {
      await tx.deleteFrom('changes').execute()
      if (database.name === 'sqlite') await sql`delete from sqlite_sequence where name = 'changes'`.execute(tx)
      else await sql`select setval(pg_get_serial_sequence('changes', 'seq'), ${rows.at(-1)?.seq ?? 1}, ${rows.length > 0})`.execute(tx)
      const place = database.name === 'sqlite' ? sql`` : sql`overriding system value`
      for (const { seq, kind, subject, at } of rows)
        await sql`insert into changes (seq, kind, subject, at) ${place} values (${seq}, ${kind}, ${subject}, ${at})`.execute(tx)
    })
  }
  const rowsOf = ({ storage }: Node) => storage.db.selectFrom('changes').selectAll().orderBy('seq').execute()

  it('F1: tells a node to forget everything when the feed has gone back behind its place', async () => {
    const { url } = await database.fresh()
    const [a, b] = [await startNode(url), await startNode(url)]
    await say(a, 'kept')
    const dump = await rowsOf(a)
    for (let i = 0; i < 5; i++) await say(a, `lost ${i}`)
    await until(() => b.events.length === 6, 2_000)
    b.events.splice(0)
    await putBack(a, dump)
    await until(() => b.events.length > 0, 2_000)
    assert.deepEqual(b.events.splice(0), [{ kind: 'everything_changed' }])
    await say(a, 'next')
    await until(() => b.events.length > 0, 2_000)
    assert.deepEqual(b.events, [ended('next')])
  })

  for (const [counted, more] of [['just as far as', 0] as const, ['further than', 3] as const]) {
    it(`F1: tells a node to forget everything when, between two looks, the feed went back and then ${counted} its place again`, async () => {
      const { url } = await database.fresh()
      const [a, b] = [await startNode(url), await startNode(url)]
      await say(a, 'kept')
      const dump = await rowsOf(a)
      for (let i = 0; i < 5; i++) await say(a, `lost ${i}`)
      await until(() => b.events.length === 6, 2_000)
      b.events.splice(0)
      b.away.since = new Error('between two looks')
      await putBack(a, dump)
      for (let i = 0; i < 5 + more; i++) await say(a, `new ${i}`)
      b.away.since = undefined
      await until(() => b.events.some(({ kind }) => kind === 'everything_changed'), 2_000)
    })
  }

  it('F1: tells a node to forget everything when its very place is there again, but was put back', async () => {
    const { url } = await database.fresh()
    const [a, b] = [await startNode(url), await startNode(url)]
    await say(a, 'kept')
    await until(() => b.events.length === 1, 2_000)
    b.events.splice(0)
    // A change since then that was not announced (a sign-in) is undone with it, and may be in the node's memory.
    if (database.name === 'postgres') await putBack(a, await rowsOf(a))
    else await restoreInPlace(url)
    await until(() => b.events.length > 0, 2_000)
    assert.deepEqual(b.events, [{ kind: 'everything_changed' }])
  })

  it('F1: tells a node to forget everything on another server, also where the first read of it fails half way', async () => {
    const { url } = await database.fresh()
    const [a, b] = [await startNode(url), await startNode(url)]
    await say(a, 'kept')
    await until(() => b.events.length === 1, 2_000)
    b.events.splice(0)
    b.away.since = new Error('fails over')
    await until(() => b.faults.length > 0, 2_000)
    // Another history, in which the node's place is as it was: what only the old server had was not announced.
    await sql.raw(database.name === 'postgres' ? 'vacuum full changes' : 'create table another_layout (n integer)').execute(a.storage.db)
    b.away.nextList = new Error('breaks off')
    b.away.since = undefined
    await until(() => b.events.length > 0, 3_000)
    assert.deepEqual([b.events, b.away.nextList], [[{ kind: 'everything_changed' }], undefined])
  })

  it('F1: keeps the newest change however old it is, so that a node finds its place after a quiet day', async () => {
    const { url } = await database.fresh()
    const [a, b] = [await startNode(url), await startNode(url)]
    await say(a, 'old')
    await say(a, 'newest')
    await until(() => b.events.length === 2, 2_000)
    b.events.splice(0)
    a.clock.now += DAY_MS + 1
    await a.feed.forgetOld()
    assert.deepEqual(
      (await rowsOf(a)).map(({ subject }) => subject),
      ['newest'],
    )
    await say(a, 'next')
    await until(() => b.events.length > 0, 2_000)
    assert.deepEqual(b.events, [ended('next')])
  })

  it('F4: does not call its knowledge current before it has looked, when it stood still; one look is enough', async () => {
    const { url } = await database.fresh()
    const [a, b] = [await startNode(url), await startNode(url)]
    b.away.since = new Error('stands still')
    await say(a, 'meanwhile')
    await until(() => b.faults.length > 0, 2_000)
    b.clock.now += 2_000
    assert.equal(b.feed.knowledge(), 'current')
    b.clock.now += 4_000
    assert.equal(b.feed.knowledge(), 'unknown')
    b.away.since = undefined
    assert.equal(await b.feed.refresh(), 'current')
    assert.deepEqual(b.events, [ended('meanwhile')])
  })

  it('says that the database is away three seconds into a look that does not end, and for as long as it lasts', async () => {
    const b = await startNode((await database.fresh()).url)
    const silence = Promise.withResolvers<void>()
    b.away.silence = silence.promise
    b.clock.now += 6_000
    const askedAt = performance.now()
    assert.equal(await b.feed.refresh(), 'away')
    const tookMs = performance.now() - askedAt
    // A machine that stops for a moment begins the three seconds anew.
    assert.ok(tookMs < 9_000, `${tookMs} ms`)
    b.clock.now += 6_000
    await until(() => b.feed.knowledge() === 'away', 9_000)

    // Whatever came while the process stands still is not read yet: the silence says nothing of that time.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    b.clock.now += 6_000
    await sleep(1_000)
    assert.equal(b.feed.knowledge(), 'unknown')
    b.away.silence = undefined
    silence.resolve()
    assert.equal(await b.feed.refresh(), 'current')
  })

  it('starts though its first look fails: nothing is known until a later one, and no change after that is missed', async () => {
    const { url } = await database.fresh()
    const b = await openNode(url)
    b.away.since = new Error('cut off')
    await b.feed.start()
    assert.equal(b.feed.knowledge(), 'lost')
    assert.equal(b.faults.length, 1)
    const a = await startNode(url)
    await say(a, 'before its first look')
    b.away.since = undefined
    await until(() => b.feed.knowledge() === 'current', 2_000)
    await say(a, 'after it')
    await until(() => b.events.length === 2, 2_000)
    assert.deepEqual(b.events, [{ kind: 'everything_changed' }, ended('after it')])
  })

  it('ends with the look under way: what comes meanwhile begins none on the connection that is being closed', async () => {
    const { feed, away, notify, faults } = await startNode((await database.fresh()).url)
    Object.defineProperty(away, 'silence', { get: () => sleep(100) }) // of each answer
    notify()
    notify()
    await feed.stop()
    notify()
    await sleep(300)
    assert.deepEqual(faults, [])
  })

  it('F4: says that the database is away once a look has failed, and after fifteen minutes that nothing is known', async () => {
    const { url } = await database.fresh()
    const b = await startNode(url)
    b.away.since = new Error('cut off')
    b.clock.now += 15 * MINUTE_MS
    assert.equal(await b.feed.refresh(), 'away')
    b.clock.now += 1
    assert.equal(await b.feed.refresh(), 'lost')
    b.away.since = undefined
    await until(() => b.feed.knowledge() === 'current', 2_000)
  })

  if (database.name === 'postgres') {
    it('announces once what a transaction says that had to be run again', async () => {
      const { url } = await database.fresh()
      const [a, b] = [await startNode(url), await startNode(url)]
      let runs = 0
      await a.feed.transaction(async (tx, announce) => {
        announce(ended('twice'))
        if (++runs === 1) await sql`do $$ begin raise exception 'x' using errcode = '40P01'; end $$`.execute(tx)
      })
      await say(a, 'after')
      await until(() => b.events.length > 1, 2_000)
      // The other node: a node hears its own changes at once, and perhaps again from the feed.
      assert.deepEqual(b.events.slice(0, 2), ['twice', 'after'].map(ended))
    })

    it('passes over no change, whichever of two transactions commits first', async () => {
      const { url } = await database.fresh()
      const [a, b, reader] = [await startNode(url), await startNode(url), await startNode(url)]
      const [firstWrote, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const first = a.storage.transaction(async (tx) => {
        await appendChanges(tx, [ended('first')], START, a.storage)
        firstWrote.resolve()
        await mayCommit.promise
      })
      await firstWrote.promise
      const second = say(b, 'second')
      // Long enough for the second one to commit if it did not wait, and for the reader to pass it.
      await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 1_000))])
      await new Promise((resolve) => setTimeout(resolve, 1_300))
      mayCommit.resolve()
      await Promise.all([first, second])
      await until(() => reader.events.length === 2, 2_000)
      assert.deepEqual(reader.events, [ended('first'), ended('second')])
    })

    it('notifies the other nodes, so that a change arrives well before the next look', async () => {
      const { url } = await database.fresh()
      const [a, b] = [await startNode(url), await startNode(url)]
      await say(a, 'warm')
      await until(() => b.events.length > 0, 2_000)
      let waitedMs = 0
      for (let i = 0; i < 8; i++) {
        const from = performance.now()
        await say(a, `ring ${i}`)
        await until(() => b.events.some((events) => 'subject' in events && events.subject === `ring ${i}`), 2_000)
        waitedMs += performance.now() - from
      }
      assert.ok(waitedMs < 2_000, `eight changes took ${Math.round(waitedMs)} ms; without NOTIFY it would be some 4000`)
    })
  }
})

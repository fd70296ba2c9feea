import type { TestService } from '../service.ts'

/** Tools that count, record or hold back the queries of a service. */

const BACKGROUND =
  /"changes"|event_endpoints|event_deliveries|access_scans|user_scans|reported_(access|subscriptions|users)|"appearances"|^select .* from "app_events"/

/**
 * Counts what this node asks its database from now on, transactions as one; the background (the look at the change feed, the outbox,
 * the events for apps) is left out, and with `about` what it does not fit.
 */
export function countQueries({ context }: TestService, about = /./): () => number {
  let count = 0
  const { storage } = context
  const executor = storage.db.getExecutor()
  const { executeQuery } = executor
  executor.executeQuery = (query, ...rest) => {
    if (!BACKGROUND.test(query.sql) && !isOutboxWork(query.sql) && about.test(query.sql)) count += 1
    return executeQuery.call(executor, query, ...rest) as never
  }
  const { transaction } = storage
  storage.transaction = (work) => {
    count += 1
    return transaction(work)
  }
  return () => count
}

/**
 * The number of queries of a piece of work that can be done again: the fewest of three times, because a transaction of the background may
 * fall into one of them.
 */
export async function fewestQueries(service: TestService, work: () => Promise<unknown>, about?: RegExp): Promise<number> {
  const count = countQueries(service, about)
  let fewest = Number.POSITIVE_INFINITY
  for (let time = 0; time < 3; time++) {
    const before = count()
    await work()
    fewest = Math.min(fewest, count() - before)
  }
  return fewest
}

/**
 * Makes the database's next answer to a matching question arrive as late as one likes, as over a slow connection. `about`: only to one that
 * has this value.
 */
export function holdNextAnswer({ context }: TestService, question: RegExp, about?: string): Held {
  return holdNext(context.storage.db, { question, about })
}

/** The same, of the next transaction that begins: to a matching question within it. */
export function holdNextAnswerInside({ context }: TestService, question: RegExp): Held {
  const { storage } = context
  const { transaction } = storage
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  storage.transaction = (work) => {
    storage.transaction = transaction
    return transaction((tx) => {
      const held = holdNext(tx, { question })
      void held.asked.then(asked.resolve)
      void gate.promise.then(held.goOn)
      return work(tx)
    })
  }
  return { asked: asked.promise, goOn: gate.resolve }
}

interface Held {
  asked: Promise<void>
  goOn: () => void
}

function holdNext(
  db: Pick<TestService['context']['storage']['db'], 'getExecutor'>,
  { question, about }: { question: RegExp; about?: string | undefined },
): Held {
  const executor = db.getExecutor()
  const { executeQuery } = executor
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  let isHeld = false
  executor.executeQuery = async (query, ...rest) => {
    const answer = await executeQuery.call(executor, query, ...rest)
    if (!isHeld && question.test(query.sql) && (about === undefined || query.parameters.includes(about))) {
      isHeld = true
      asked.resolve()
      await gate.promise
    }
    return answer as never
  }
  return { asked: asked.promise, goOn: gate.resolve }
}

/**
 * Every question that this node asks its database from now on, within transactions too; what runs in the background (the look at the change
 * feed, the outbox, the events for apps, the looks of pages and mails) is left out.
 */
export function recordQueries({ context }: TestService): string[] {
  const asked: string[] = []
  const { storage } = context
  const listen = (db: { getExecutor: typeof storage.db.getExecutor }) => {
    const executor = db.getExecutor()
    const { executeQuery } = executor
    executor.executeQuery = (query, ...rest) => {
      if (!BACKGROUND.test(query.sql) && !isOutboxWork(query.sql)) asked.push(query.sql)
      return executeQuery.call(executor, query, ...rest) as never
    }
  }
  listen(storage.db)
  const { transaction } = storage
  storage.transaction = (work) =>
    transaction((tx) => {
      listen(tx)
      return work(tx)
    })
  return asked
}

/** The statements of its background worker: it looks for due jobs, and leases them. */
function isOutboxWork(sql: string): boolean {
  return sql.startsWith('update "outbox"') || sql.includes('with recursive kinds as')
}

/** Leaves all work of the outbox lying: what a request does is then all that is done. */
export function stopOutbox({ context }: TestService): void {
  const executor = context.storage.db.getExecutor()
  const { executeQuery } = executor
  executor.executeQuery = (query, ...rest) =>
    isOutboxWork(query.sql) ? Promise.resolve({ rows: [] }) : (executeQuery.call(executor, query, ...rest) as never)
}

import { performance } from 'node:perf_hooks'
import type { Connection } from './connection.ts'

/**
 * Sends on all connections at once, each request as soon as the one before is answered, until `next` has no more. Answers how many were
 * answered and how long it took.
 */
export async function closedLoop(
  connections: readonly Connection[],
  next: () => Buffer | undefined,
  accept: (answer: Buffer) => void,
): Promise<{ count: number; ms: number }> {
  let count = 0
  const startedAt = performance.now()
  const follow = (connection: Connection) =>
    new Promise<void>((resolve) => {
      const go = () => {
        const asked = next()
        if (!asked) return resolve()
        connection.ask(asked, (answer) => {
          accept(answer)
          count++
          go()
        })
      }
      go()
    })
  await Promise.all(connections.map(follow))
  return { count, ms: performance.now() - startedAt }
}

/** Requests in turn for `ms`. */
export function forAWhile(requests: readonly Buffer[], ms: number): () => Buffer | undefined {
  const endsAt = performance.now() + ms
  let at = 0
  return () => (performance.now() < endsAt ? requests[at++ % requests.length] : undefined)
}

/** Each request once. */
export function eachOnce(requests: readonly Buffer[]): () => Buffer | undefined {
  let at = 0
  return () => requests[at++]
}

/**
 * Sends `perSecond` requests a second whether or not answers have come, as independent users do. Answers each request's ms from the moment
 * it was due, so that waiting for a busy connection counts.
 */
export async function openLoop(
  connections: readonly Connection[],
  {
    requests,
    perSecond,
    seconds,
    accept,
  }: { requests: readonly Buffer[]; perSecond: number; seconds: number; accept: (answer: Buffer) => void },
): Promise<number[]> {
  const total = perSecond * seconds
  const free = [...connections]
  const due: number[] = []
  const took: number[] = []
  const startedAt = performance.now()
  let asked = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const send = () => {
    while (due.length > 0 && free.length > 0) {
      const connection = free.shift() // in turn: the server closes a connection that has long been idle
      const at = due.shift()
      const next = requests[asked++ % requests.length]
      if (!connection || at === undefined || !next) return
      connection.ask(next, (answer) => {
        took.push(performance.now() - at)
        accept(answer)
        free.push(connection)
        if (took.length === total) resolve()
        else send()
      })
    }
  }
  let made = 0
  const timer = setInterval(() => {
    const now = performance.now()
    for (; made < total && startedAt + (made * 1000) / perSecond <= now; made++) due.push(startedAt + (made * 1000) / perSecond)
    send()
  }, 1)
  await promise
  clearInterval(timer)
  return took
}

import cluster from 'node:cluster'
import process from 'node:process'
import type { FromChild, FromParent, Metric } from './messages.ts'

/** For the last numbers: some of them are the database's, which may be silent. */
const LEAVING_MS = 2_000

/** The processes that serve one port together, as one of them sees them. */
export interface Siblings {
  /** The number of processes that listen, this one among them, and the number that there should be. */
  count(): { serving: number; wanted: number }
  /** The answers of `readOwn` from all processes, this one among them, and what those that have ended had counted. */
  readAll(): Promise<Metric[][]>
  /** Reports that this process listens. */
  nowServing(): void
  /** Hands over the last numbers of this process, which ends; within two seconds, or not. */
  nowLeaving(): Promise<void>
  /** The damage of the database that one of the processes has found; `found`: this one has. */
  damage(): string | undefined
  shareDamage(found: string): void
}

/**
 * For a process that `runProcesses` started: speaks with the parent. `readOwn` answers what the parent may hand to the others, in a form
 * that can be cloned. Once the parent is gone, nobody could stop this process or replace it: it ends itself in order.
 */
export function joinParent(readOwn: () => Promise<Metric[]>): Siblings {
  const waiting = new Map<number, (metrics: Metric[][]) => void>()
  let count = { serving: 0, wanted: 1 }
  let asked = 0
  let damage: string | undefined
  // A parent that has just ended takes no message.
  const send = (message: FromChild, onSent = () => {}) => void process.send?.(message, undefined, {}, onSent)
  process.on('message', (message: FromParent) => {
    if (message.type === 'processes') count = { serving: message.serving, wanted: message.wanted }
    if (message.type === 'damage') damage = message.text
    if (message.type === 'ping') send({ type: 'pong' })
    if (message.type === 'report_metrics') void readOwn().then((metrics) => send({ type: 'own_metrics', id: message.id, metrics }))
    if (message.type !== 'all_metrics') return
    waiting.get(message.id)?.(message.metrics)
    waiting.delete(message.id)
  })
  // Else it would end at once, with what is in flight.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  return {
    count: () => count,
    readAll() {
      asked += 1
      const { promise, resolve } = Promise.withResolvers<Metric[][]>()
      waiting.set(asked, resolve)
      send({ type: 'read_metrics', id: asked })
      return promise
    },
    nowServing: () => send({ type: 'serving' }),
    async nowLeaving() {
      const { promise, resolve } = Promise.withResolvers<void>()
      const late = setTimeout(resolve, LEAVING_MS)
      void readOwn().then((metrics) => send({ type: 'own_metrics', id: undefined, metrics }, resolve), resolve)
      await promise
      clearTimeout(late)
    },
    damage: () => damage,
    shareDamage: (text) => send({ type: 'damage', text }),
  }
}

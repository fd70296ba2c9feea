import cluster from 'node:cluster'
import process from 'node:process'
import type { FromChild, FromParent } from './messages.ts'

/** The processes that serve one port together, as one of them sees them. */
export interface Siblings {
  /** The number of processes that listen, this one among them, and the number that there should be. */
  count(): { serving: number; wanted: number }
  /** The answers of `readOwn` from each process that answers within two seconds, this one among them. */
  readAll(): Promise<object[]>
  /** Reports that this process listens. */
  nowServing(): void
}

/**
 * For a process that `runProcesses` started: speaks with the parent. `readOwn` answers what the parent may hand to the others, in a form
 * that can be cloned. Once the parent is gone, nobody could stop this process or replace it: it ends itself in order.
 */
export function joinParent(readOwn: () => Promise<object>): Siblings {
  const waiting = new Map<number, (metrics: object[]) => void>()
  let count = { serving: 0, wanted: 1 }
  let asked = 0
  // A parent that has just ended takes no message.
  const send = (message: FromChild) => void process.send?.(message, undefined, {}, () => {})
  process.on('message', (message: FromParent) => {
    if (message.type === 'processes') count = { serving: message.serving, wanted: message.wanted }
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
      const { promise, resolve } = Promise.withResolvers<object[]>()
      waiting.set(asked, resolve)
      send({ type: 'read_metrics', id: asked })
      return promise
    },
    nowServing: () => send({ type: 'serving' }),
  }
}

import type { Outbox } from './worker.ts'

/** Several workers, each with its own kinds of work, started and stopped as one. */
export function joinOutboxes(outboxes: readonly Outbox[]): Outbox {
  return {
    start() {
      for (const outbox of outboxes) outbox.start()
    },
    wake(lane) {
      for (const outbox of outboxes) outbox.wake(lane)
    },
    async stop() {
      await Promise.all(outboxes.map((outbox) => outbox.stop()))
    },
  }
}

import type { Storage } from '../../storage/index.ts'
import { gatewayHealthStore, type UnwrittenFailures } from './health-store.ts'

/**
 * Counts failed verifications. Anybody who knows the address can send them at any rate, so all but the first of each second wait in memory
 * to be written together.
 */
export interface VerificationFailures {
  /** Resolves when it is written, or is sure to be. */
  count(gateway: string, productId: string, at: number): Promise<void>
  /** A verified delivery came after the unwritten ones. */
  noteRight(gateway: string, productId: string): void
  /** Writes the rest. */
  stop(): Promise<void>
}

const WRITTEN_EVERY_MS = 1_000

interface Counting {
  gateway: string
  productId: string
  unwritten: UnwrittenFailures | undefined
  timer: NodeJS.Timeout
}

export function createVerificationFailures({
  storage,
  onFault,
}: {
  storage: Pick<Storage, 'db'>
  onFault: (error: unknown) => void
}): VerificationFailures {
  const countings = new Map<string, Counting>()
  const write = ({ gateway, productId, unwritten }: Pick<Counting, 'gateway' | 'productId' | 'unwritten'>) =>
    unwritten ? gatewayHealthStore(storage.db).countVerificationFailures(gateway, productId, unwritten) : Promise.resolve()
  const wait = (name: string) => setTimeout(() => tick(name), WRITTEN_EVERY_MS).unref()
  const tick = (name: string) => {
    const counting = countings.get(name)
    if (!counting?.unwritten) return void countings.delete(name)
    write(counting).catch(onFault) // reported, and lost: the next one writes again
    countings.set(name, { ...counting, unwritten: undefined, timer: wait(name) })
  }
  return {
    async count(gateway, productId, at) {
      const name = `${gateway} ${productId}`
      const counting = countings.get(name)
      if (counting) {
        counting.unwritten = { count: (counting.unwritten?.count ?? 0) + 1, lastAt: at, since: counting.unwritten?.since ?? at }
        return
      }
      countings.set(name, { gateway, productId, unwritten: undefined, timer: wait(name) })
      await write({ gateway, productId, unwritten: { count: 1, lastAt: at, since: at } })
    },
    noteRight(gateway, productId) {
      const unwritten = countings.get(`${gateway} ${productId}`)?.unwritten
      if (unwritten) unwritten.since = undefined
    },
    async stop() {
      const left = [...countings.values()]
      countings.clear()
      for (const { timer } of left) clearTimeout(timer)
      await Promise.all(left.map(write))
    },
  }
}

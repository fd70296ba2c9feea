import type { Change } from './change.ts'
import type { ChangeFeed } from './feed.ts'

/** A value of the database in a node's memory, which a change of its kind makes it forget. */
interface Memory<Value> {
  /** The value, if it was read and nothing has changed since. Asks no database. */
  current(): Value | undefined
  /**
   * The value with every change that this node knows of. However many ask, it is read once, and once more after a change that came during
   * the read. Rejects when the database can't be read; the next one to ask reads again.
   */
  get(): Promise<Value>
}

interface MemoryDeps {
  changes: Pick<ChangeFeed, 'follow'>
  kind: Change['kind']
}

export function createMemory<Value extends NonNullable<unknown>>(read: () => Promise<Value>, { changes, kind }: MemoryDeps): Memory<Value> {
  let value: Value | undefined
  let isOutdated = false
  let reading: Promise<Value> | undefined
  const readToEnd = async () => {
    try {
      for (;;) {
        isOutdated = false
        const found = await read()
        if (isOutdated) continue
        value = found
        return found
      }
    } finally {
      // In the same turn as the last look at `isOutdated`: a change after it must begin another read.
      reading = undefined
    }
  }
  changes.follow((change) => {
    if (change.kind !== kind && change.kind !== 'everything_changed') return
    value = undefined
    isOutdated = true
  })
  return {
    current: () => value,
    get() {
      if (value !== undefined) return Promise.resolve(value)
      reading ??= Promise.resolve().then(readToEnd)
      return reading
    },
  }
}

/** A value that is in memory before anybody asks. After a change it is read at once. */
export interface ReadyMemory<Value> {
  /** The value as last read; the first one before that. */
  last(): Value
  /** Waits until this node has read every change that it knows of. It never rejects: with the database away the last value stays. */
  refresh(): Promise<void>
}

export function createReadyMemory<Value extends NonNullable<unknown>>(
  first: Value,
  read: () => Promise<Value>,
  { changes, kind, onFault }: MemoryDeps & { onFault: (error: unknown) => void },
): ReadyMemory<Value> {
  let last = first
  const memory = createMemory(
    async () => {
      try {
        last = await read()
        return last
      } catch (error) {
        onFault(error) // here, so that each failed read is reported once, however many wait for it
        throw error
      }
    },
    { changes, kind },
  )
  const refresh = () => (memory.current() === undefined ? memory.get().then(done, done) : Promise.resolve())
  // After the memory has heard of the change: followers hear of it in their order.
  changes.follow((change) => {
    if (change.kind === kind || change.kind === 'everything_changed') void refresh()
  })
  return { last: () => last, refresh }
}

function done(): void {}

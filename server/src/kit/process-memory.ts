import { flushCompileCache } from 'node:module'
import { performance } from 'node:perf_hooks'
import process from 'node:process'

const LOOK_MS = 20_000
/** A process that takes no more than this part of a core counts as idle. */
const IDLE = 0.03
/** So many times larger than usual is worth a stop. */
const GROWN = 1.2
/** Between two collections. */
const APART_MS = 10 * 60_000

/**
 * Puts away what a start leaves, which stops everything for some tenths of a second: so before the first request. The code that the first
 * start of a version has compiled is kept for the next ones. Garbage is collected: V8 otherwise keeps the memory used for parsing and
 * building, a fifth of the process, until it is short of memory. Without `--expose-gc` it is not: enabling the collector through a second
 * context makes V8 run all code of the process a third slower from then on. What storms take later is given back, too.
 */
export function finishStart(): void {
  flushCompileCache()
  const memory = ofThisProcess()
  memory.collect?.()
  giveMemoryBack(memory)
}

export interface ProcessMemory {
  /** In bytes. */
  resident(): number
  /** The processor time since the last call, as a part of a core's. */
  busyPart(): number
  /** Absent where the collector is not at hand. */
  collect: (() => void) | undefined
}

/**
 * From now on gives back what a storm has made V8 take, which V8 keeps as long as the machine has more. That stops everything for some
 * tenths of a second, too. So it is done where the process was idle for 20 s and has grown by a fifth since it was last small, and not
 * again within ten minutes.
 */
export function giveMemoryBack({ resident, busyPart, collect }: ProcessMemory): void {
  if (!collect) return
  let usual = resident()
  let sinceCollected = Number.POSITIVE_INFINITY
  const look = () => {
    const isIdle = busyPart() <= IDLE
    const now = resident()
    // The system takes memory back a moment after a collection, so what is usual then is measured at the next look.
    usual = sinceCollected === 0 ? now : Math.min(usual, now)
    sinceCollected += LOOK_MS
    if (!isIdle || now <= usual * GROWN || sinceCollected < APART_MS) return
    collect()
    sinceCollected = 0
  }
  setInterval(look, LOOK_MS).unref()
}

function ofThisProcess(): ProcessMemory {
  const { gc } = globalThis
  let [last, lastAt] = [process.cpuUsage(), performance.now()]
  return {
    resident: () => process.memoryUsage.rss(),
    busyPart() {
      const { user, system } = process.cpuUsage(last)
      const part = (user + system) / 1000 / (performance.now() - lastAt)
      ;[last, lastAt] = [process.cpuUsage(), performance.now()]
      return part
    },
    collect: gc && (() => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })),
  }
}

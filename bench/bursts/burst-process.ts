// A burst, in a process of its own: requests as fast as their answers come, over many connections, until it is told to stop. It leaves the
// core to the process that measures whenever that one wants it.
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import process from 'node:process'
import type { Connection } from '../harness/connection.ts'
import { quantile } from '../harness/figures.ts'
import { openConnections } from '../harness/pair.ts'

/** The requests come in turn, in base64. `signs`: one of them is in each answer that is no refusal for lack of room. */
export interface Burst {
  port: number
  connections: number
  requests: readonly string[]
  signs: readonly string[]
}

/** How many were served, and how many shed; what those that were served took, as this process saw it, and the longest of all. */
export interface BurstCounts {
  served: number
  shed: number
  p99Ms: number
  longestMs: number
}

setPriority(Math.min(19, getPriority() + 10))
const [burst]: [Burst] = (await once(process, 'message')) as [Burst]
const requests = burst.requests.map((text) => Buffer.from(text, 'base64'))
const counts = { shed: 0 }
/** Ms, of each that was served. */
const took: number[] = []
let longestMs = 0
let isOver = false
process.once('message', () => (isOver = true))
const connections = await openConnections(burst.port, burst.connections)
process.send?.('begun')
let at = 0
await Promise.all(connections.map(askOn))
for (const connection of connections) connection.close()
process.send?.({ ...counts, served: took.length, p99Ms: quantile(took, 0.99), longestMs })
process.disconnect()

function askOn(connection: Connection): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      const next = requests[at++ % requests.length]
      if (isOver || !next) return resolve()
      const askedAt = performance.now()
      connection.ask(next, (answer) => {
        const ms = performance.now() - askedAt
        longestMs = Math.max(longestMs, ms)
        if (isServed(answer)) took.push(ms)
        else counts.shed++
        go()
      })
    }
    go()
  })
}

/** `false` where it was shed: 503 with `Retry-After`, or a check that says so, since a proxy must not take it for an error. */
function isServed(answer: Buffer): boolean {
  const head = answer.toString('latin1', 0, 1_000)
  if (head.startsWith('HTTP/1.1 503') && /retry-after: \d/i.test(head)) return false
  if (/portaria-degraded: load/i.test(head)) return false
  if (burst.signs.some((sign) => answer.includes(sign))) return true
  throw new Error(`not expected in a burst: ${answer.toString().slice(0, 1_000)}`)
}

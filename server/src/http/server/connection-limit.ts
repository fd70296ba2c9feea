import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { endWith, type Timeouts } from './sockets.ts'

/** Files, connections to the database and those to servers of others. */
const RESERVED = 48
/** Half a request costs up to 100 KB: that many of them must fit into memory. */
const MOST = 10_000
/** Connections beyond the limit that are answered before they are closed; further ones are closed at once. */
const SPARE = 8
const CLEAR_EVERY_MS = 1_000

/** The most connections of a process, by the number of files that the system lets it open. */
export function connectionLimit(openFiles: number = readOpenFiles()): number {
  return Math.min(MOST, Math.max(SPARE, openFiles - RESERVED - SPARE))
}

/** Where the system does not say (it does on Linux), as many as it takes for `MOST`. */
function readOpenFiles(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

export interface ConnectionLimit {
  most: number
  /** The answer to a connection beyond the limit, before it is closed. */
  answer: string
  timeouts: Pick<Timeouts, 'lingerMs'>
  /** Called for each connection that is refused. */
  onRefused: () => void
}

/**
 * Keeps the number of connections below what the process can open. When all are taken, kept connections without a request are closed, at
 * most once a second. A connection that comes until then is answered and closed.
 */
export function limitConnections(server: Server, { most, answer, timeouts, onRefused }: ConnectionLimit): void {
  let open = 0
  let clearedAt = Number.NEGATIVE_INFINITY
  server.maxConnections = most + SPARE
  server.on('drop', onRefused)
  // Before the listener of node:http, which would read the connection.
  server.prependListener('connection', (socket: Socket) => {
    open++
    socket.once('close', () => open--)
    if (open <= most) return
    if (performance.now() - clearedAt > CLEAR_EVERY_MS) {
      clearedAt = performance.now()
      server.closeIdleConnections()
    }
    if (open <= most) return
    onRefused()
    endWith(socket, answer, timeouts)
  })
}

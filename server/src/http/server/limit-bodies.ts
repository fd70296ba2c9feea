import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { bareAnswer } from './bare-answer.ts'
import { endWith, type Timeouts } from './sockets.ts'

/** The bytes of bodies that a process holds while their rest is on its way: 256 whole notifications, thousands of forms. */
export const MOST_BODY_BYTES = 64 * 1024 ** 2
const LOOK_EACH_MS = 100
/** So many bodies that began since the last look are looked at before. */
const LOOK_AT = 256
/** What node:http reads at once: so much of a body may have come with its headers. */
const READ_BYTES = 65_536

interface Coming {
  /** Once it has begun, nobody keeps what comes of the body. */
  response: ServerResponse
  /** The bytes that the connection had read before, at least. */
  before: number
}

export interface BodyLimit {
  most: number
  timeouts: Pick<Timeouts, 'lingerMs'>
  /** Called for each request that is ended. */
  onRefused: () => void
}

/**
 * Ends the largest of the bodies that have not come whole, as long as all of them together are above the limit: senders who stop half way
 * hold memory for the whole time that a request may take, and honest bodies are small and soon here. One look at all of them in turn costs
 * less than counting each piece.
 */
export function limitBodies(server: Server, { most, timeouts, onRefused }: BodyLimit): void {
  const coming = new Map<IncomingMessage, Coming>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    timer = undefined
    for (const [request, { response }] of coming) if (request.complete || request.destroyed || response.headersSent) coming.delete(request)
    const held = [...coming].map(([request, { before }]) => ({ request, bytes: heldBytes(request, before) }))
    let sum = held.reduce((total, { bytes }) => total + bytes, 0)
    if (sum > most) held.sort((a, b) => b.bytes - a.bytes)
    for (const { request, bytes } of held) {
      if (sum <= most) break
      sum -= bytes
      coming.delete(request)
      end(request)
    }
    if (coming.size > 0) timer = setTimeout(look, LOOK_EACH_MS).unref()
  }

  function end(request: IncomingMessage): void {
    onRefused()
    request.pause()
    endWith(request.socket, bareAnswer(503, { 'retry-after': '2' }), timeouts)
  }

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    coming.set(request, { response, before: Math.max(0, request.socket.bytesRead - READ_BYTES) })
    if (coming.size % LOOK_AT === 0) {
      clearTimeout(timer)
      look()
    } else timer ??= setTimeout(look, LOOK_EACH_MS).unref()
  })
  server.on('close', () => clearTimeout(timer))
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

/** At most what is held: a connection may have read a request before. */
function heldBytes({ socket, headers }: IncomingMessage, before: number): number {
  return Math.min(socket.bytesRead - before, Number(headers['content-length'] ?? Number.POSITIVE_INFINITY))
}

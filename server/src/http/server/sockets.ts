import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Timeouts for a peer, in ms. */
export interface Timeouts {
  /** For a whole request, headers and body, from the connection's begin or the last answer's end. */
  requestMs: number
  /** The interval of that check. */
  lookEachMs: number
  /** For the next request on a kept-alive connection. */
  keptMs: number
  /** For any progress of the peer while a request or an answer is under way. */
  stillMs: number
  /** For the peer to read a whole answer, however slowly. */
  answerMs: number
  /** For the peer to close a connection after it was asked to. */
  lingerMs: number
}

export const TIMEOUTS: Timeouts = {
  requestMs: 30_000,
  lookEachMs: 10_000,
  keptMs: 72_000,
  stillMs: 60_000,
  answerMs: 600_000,
  lingerMs: 2_000,
}

/** Answers on a connection and closes it. Further input is thrown away; a peer that does not close is not waited for. */
export function endWith(socket: Socket, answer: string, { lingerMs }: Pick<Timeouts, 'lingerMs'>): void {
  socket.end(answer)
  socket.resume()
  const late = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(late))
}

/**
 * Closes connections whose peer reads an answer too slowly, or has stopped reading it: each holds a file descriptor and the rest of the
 * answer. One look at all connections in turn finds them; a timer for every request would cost a check a twentieth of its time. Only a
 * connection that was seen waiting gets one.
 */
export function endSlowReaders(
  server: Server,
  { lookEachMs, stillMs, answerMs }: Pick<Timeouts, 'lookEachMs' | 'stillMs' | 'answerMs'>,
): void {
  /** Since when each open connection has had something to be taken; `undefined` for nothing. */
  const waiting = new Map<Socket, number | undefined>()
  server.on('connection', (socket: Socket) => {
    waiting.set(socket, undefined)
    socket.once('close', () => waiting.delete(socket))
  })
  const look = setInterval(() => {
    const now = performance.now()
    for (const [socket, since] of waiting) {
      if (socket.writableLength === 0) waiting.set(socket, undefined)
      else if (since === undefined) {
        waiting.set(socket, now)
        socket.setTimeout(stillMs) // node:http closes it then, and sets its own time for the next request
      } else if (now - since >= answerMs) socket.destroy()
    }
  }, lookEachMs).unref()
  server.on('close', () => clearInterval(look))
}

const REQUEST_COMES_MS = 1_000

/**
 * The connections on which nothing has come yet, as browsers open them in advance. node:http does not count them as idle before its time
 * for a request is over, so a server that stops would wait for them.
 */
export function trackSilent(server: Server): { endSilent(): void } {
  const openedAt = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    openedAt.set(socket, performance.now())
    socket.once('close', () => openedAt.delete(socket))
  })
  return {
    // The request of a connection that was just opened is on its way.
    endSilent() {
      const before = performance.now() - REQUEST_COMES_MS
      for (const [socket, at] of openedAt) if (socket.bytesRead === 0 && at < before) socket.destroy()
    },
  }
}

/** From now on each answer is the last of its connection, so that its client sends no further request into a closing one. */
export function endAfterAnswers(server: Server): void {
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false
  })
}

import { connect } from 'node:net'

/**
 * One connection that is kept open and carries one request at a time. It costs its core much less than the server's work costs the
 * server's.
 */
export interface Connection {
  /** The answer is good until `done` returns: the next one is read into the same memory. */
  ask(request: Buffer, done: (answer: Buffer) => void): void
  close(): void
}

const BUFFER_BYTES = 131_072

export async function openConnection(port: number): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let held: Buffer | undefined
  let waiting: ((answer: Buffer) => void) | undefined
  const hear = (length: number, buffer: Uint8Array): boolean => {
    const part = Buffer.from(buffer.buffer, buffer.byteOffset, length)
    const answer = held ? Buffer.concat([held, part]) : part
    if (answer.length < lengthOf(answer)) {
      held = Buffer.from(answer)
      return true
    }
    held = undefined
    const done = waiting
    waiting = undefined
    done?.(answer)
    return true
  }
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: Buffer.alloc(BUFFER_BYTES), callback: hear } })
  socket.once('connect', resolve)
  socket.on('error', reject)
  socket.on('close', () => {
    if (waiting) throw new Error('the server closed a connection in the middle of an answer')
  })
  await promise
  return {
    ask(request, done) {
      if (socket.destroyed) throw new Error('the server has closed this connection')
      waiting = done
      socket.write(request)
    },
    close: () => void socket.destroy(),
  }
}

/** The length of a whole answer, once its head is there. */
function lengthOf(answer: Buffer): number {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return Number.POSITIVE_INFINITY
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, headEnd))?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${answer.toString('latin1', 0, headEnd)}`)
  return headEnd + 4 + Number(length)
}

/** A request as it goes over the wire. */
export function request(method: string, path: string, headers: Record<string, string> = {}, body = ''): Buffer {
  const sent = { host: 'sso.bench.test', ...headers, ...(method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }) }
  const connections = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${connections.join('')}\r\n${body}`)
}

/** Asks once, on a connection of its own. */
export async function askOnce(port: number, asked: Buffer): Promise<string> {
  const connection = await openConnection(port)
  const answer = await new Promise<string>((resolve) => connection.ask(asked, (bytes) => resolve(bytes.toString())))
  connection.close()
  return answer
}

/** Throws unless an answer holds `sign`: a server that answers quickly but wrongly must not look fast. */
export function expecting(sign: string): (answer: Buffer) => void {
  return (answer) => {
    if (!answer.includes(sign)) throw new Error(`expected ${sign}, got ${answer.toString().slice(0, 2_000)}`)
  }
}

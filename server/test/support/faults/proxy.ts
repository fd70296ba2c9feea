import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { freePort } from '../free-port.ts'

/** Stands between the service and its PostgreSQL, and breaks in the ways in which networks and servers do. */
export interface Proxy {
  /** The database's address through the proxy. */
  url: string
  /** Ends every connection and refuses new ones: a server that is gone. */
  cut(): void
  /** Takes connections, but says nothing more: a server that hangs. */
  freeze(): void
  /** Leaves the connections there are without an answer for ever, but serves new ones: a server that moved. */
  abandon(): void
  /** Serves again after `cut` or `freeze`. */
  restore(): Promise<void>
  /** Serves another database from now on: an address that has moved to another server. Connections that there are stay where they are. */
  moveTo(database: { url: string }): void
  connections(): number
}

/** Starts a proxy that is closed when the test ends. */
export async function startProxy(database: { url: string }): Promise<Proxy> {
  const proxy = await openProxy(database)
  after(proxy.cut)
  return proxy
}

/** Starts a proxy that lasts until it is cut. */
export async function openProxy(database: { url: string }): Promise<Proxy> {
  let upstream = new URL(database.url)
  const pairs = new Set<[Socket, Socket]>()
  let frozen = false
  const server = createServer((near) => {
    const far = connect(Number(upstream.port), upstream.hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    near.pipe(far)
    far.pipe(near)
    if (frozen) silence(pair)
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    server.close()
    for (const [near] of pairs) near.destroy()
  }
  const url = new URL(database.url)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    cut,
    freeze() {
      frozen = true
      pairs.forEach(silence)
    },
    abandon: () => pairs.forEach(silence),
    async restore() {
      frozen = false
      for (const [near, far] of pairs) {
        near.pipe(far)
        far.pipe(near)
      }
      if (server.listening) return
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    moveTo: (other) => {
      upstream = new URL(other.url)
    },
    connections: () => pairs.size,
  }
}

function silence([near, far]: [Socket, Socket]): void {
  near.unpipe(far).pause()
  far.unpipe(near).pause()
}

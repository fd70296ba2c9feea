import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream'
import { createAuthority } from '../../server/test/support/faults/authority.ts'

/**
 * Stands before the servers of several apps: it ends TLS for all hosts, and passes each request to the port of its host.
 */
export interface TlsProxy {
  /** Flags with which a browser finds these hosts here, and trusts their authority and no other. */
  browserFlags: string[]
  /** Every request that came, oldest first. */
  requests: { host: string; path: string; referer: string }[]
  /** Addresses, as host and path, whose requests come no further than here: the browser stays where it is. */
  held: Set<string>
  /** Environment with which a process of Node finds them here and trusts them too. */
  environment: Record<string, string>
  close(): Promise<void>
}

/** Opens it for hosts that are known by their names alone. Their ports may be set later, since a server must know its port to start. */
export async function startTlsProxy(hosts: readonly string[], portOf: (host: string) => number | undefined): Promise<TlsProxy> {
  const { server, certificate, pin } = createAuthority(hosts)
  const requests: TlsProxy['requests'] = []
  const held = new Set<string>()
  const tls = createTlsServer({ ...server, keepAlive: true }, (incoming, response) => {
    const { host = '', referer = '' } = incoming.headers
    requests.push({ host, path: incoming.url ?? '', referer })
    if (held.has(host + incoming.url?.split('?', 1)[0])) return response.writeHead(204).end()
    const port = portOf(host)
    if (port === undefined) return response.writeHead(502).end('no such host here')
    pass(incoming, response, port)
  })
  const tlsPort = await listen(tls)
  // Apps' own servers know the hosts by their names alone, too: this shows them the way.
  const tunnel = createServer().on('connect', (_request, socket) => {
    const through = connect(tlsPort, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    pipeline(socket, through, socket, () => {})
  })
  const tunnelPort = await listen(tunnel)
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-authority-'))
  const file = path.join(folder, 'authority.pem')
  writeFileSync(file, certificate)
  return {
    requests,
    held,
    browserFlags: [
      `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1:${tlsPort}`).join(', ')}, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1`,
      `--ignore-certificate-errors-spki-list=${pin}`,
    ],
    // The lower case is read first, so a proxy of this machine's own is not in the way.
    environment: { NODE_EXTRA_CA_CERTS: file, NODE_USE_ENV_PROXY: '1', https_proxy: `http://127.0.0.1:${tunnelPort}`, no_proxy: '' },
    async close() {
      for (const one of [tls, tunnel]) {
        one.closeAllConnections()
        one.close()
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** On to the server behind, and its answer back, as they come. The host stays; of what a browser could forge, nothing does. */
function pass(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, socket } = incoming
  const headers = { ...incoming.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': socket.remoteAddress ?? '' }
  const passed = request({ host: 'localhost', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    pipeline(answer, response, () => {})
  })
  passed.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
  response.on('close', () => passed.destroy())
  pipeline(incoming, passed, () => {})
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

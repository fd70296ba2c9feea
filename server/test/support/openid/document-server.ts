import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The server of clients that describe themselves. Development takes its loopback address for a client id. */
export interface DocumentServer {
  /** The address of a description, which is the client's id. */
  address(path: string): string
  /** Puts a description there: of a usual client, with these parts changed. */
  describe(path: string, change?: object, headers?: Record<string, string>): string
  /** Answers in another way there. */
  answer(path: string, listener: RequestListener): string
  /** How often it was asked for a path. */
  calls(path: string): number
  close(): void
}

export async function startDocumentServer(): Promise<DocumentServer> {
  const listeners = new Map<string, RequestListener>()
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    counts.set(path, (counts.get(path) ?? 0) + 1)
    const listener = listeners.get(path)
    if (listener) listener(request, response)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const answer: DocumentServer['answer'] = (path, listener) => {
    listeners.set(path, listener)
    return address(path)
  }
  return {
    address,
    answer,
    describe: (path, change = {}, headers = {}) =>
      answer(path, (_request, response) => {
        const usual = { client_id: address(path), client_name: 'Uma ferramenta', redirect_uris: ['http://127.0.0.1/callback'] }
        const rest = { token_endpoint_auth_method: 'none', grant_types: ['authorization_code', 'refresh_token'] }
        response.setHeaders(new Map(Object.entries({ 'content-type': 'application/json', ...headers })))
        response.end(JSON.stringify({ ...usual, ...rest, ...change }))
      }),
    calls: (path) => counts.get(path) ?? 0,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

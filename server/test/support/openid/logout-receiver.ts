import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { after } from 'node:test'
import { decodeJwt } from 'jose'
import { changeProduct } from '../../../src/products/index.ts'
import type { TestService } from '../service.ts'

/** The answer of an app; `hangs`: none at all. */
export type ReceiverAnswer = { status: number; headers?: Record<string, string> } | 'hangs'

/** An app's server that is notified of sign-outs, over real HTTP. */
export interface LogoutReceiver {
  url: string
  requests: Array<{ method: string; path: string; headers: IncomingHttpHeaders; body: string }>
  tokens(): string[]
  sids(): string[]
  answers(next: (count: number) => ReceiverAnswer): void
}

export async function startLogoutReceiver(): Promise<LogoutReceiver> {
  const requests: LogoutReceiver['requests'] = []
  let decide: (count: number) => ReceiverAnswer = () => ({ status: 204 })
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
      const answer = decide(requests.length)
      if (answer !== 'hangs') response.writeHead(answer.status, answer.headers).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  const tokens = () => requests.map(({ body }) => new URLSearchParams(body).get('logout_token') ?? '')
  return {
    url: `http://127.0.0.1:${address.port}/backchannel-logout`,
    requests,
    tokens,
    sids: () => tokens().map((token) => String(decodeJwt(token).sid)),
    answers: (next) => {
      decide = next
    },
  }
}

/** Registers the address of a product, as the operator does. */
export async function notifyOfSignOuts(service: TestService, slug: string, uri: string): Promise<void> {
  const changed = await changeProduct(slug, { backchannelLogoutUri: uri }, { ...service.context, actor: 'operator:test' })
  if ('refusal' in changed) throw new Error(changed.refusal)
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { EVENT_TYPES } from '../../../src/app-events/index.ts'
import { EVENT_CATALOGUE, eventBodySchema } from '../../../src/event-delivery/index.ts'
import type { ServerIdentity } from '../faults/authority.ts'

/** The answer of an app. A function writes all of it itself. */
type Answer = { status: number; headers?: Record<string, string>; body?: string } | ((response: ServerResponse) => void)

export interface Received {
  id: string
  headers: IncomingHttpHeaders
  text: string
  event: { type: string; timestamp: string; data: Record<string, unknown> & { sequence: number; user_id: string } }
}

export interface EventReceiver {
  url: string
  received: Received[]
  types(): string[]
  answers(answer: (received: Received) => Answer): void
  /** Another certificate, for new connections. */
  identifiesAs(identity: ServerIdentity): void
  stop(): Promise<void>
}

/** An app that takes events, and keeps each as it came. Each is held against the catalogue. With an `identity` it speaks TLS. */
export async function startEventReceiver({ identity }: { identity?: ServerIdentity } = {}): Promise<EventReceiver> {
  const received: Received[] = []
  const misfits: string[] = []
  let answerOf: (received: Received) => Answer = () => ({ status: 200 })
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const one = { id: String(request.headers['webhook-id']), headers: request.headers, text, event: JSON.parse(text) }
    received.push(one)
    misfits.push(...misfitsOf(one))
    const answer = answerOf(one)
    if (typeof answer === 'function') return answer(response)
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }
  const listener: RequestListener = (request, response) => void take(request, response).catch(() => response.destroy())
  const tls = identity && createTlsServer(identity, listener)
  const server = (tls ?? createServer(listener)).listen(0, 'localhost')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  after(stop)
  after(() => assert.deepEqual(misfits, [], 'each event has the form that the catalogue says'))
  return {
    url: `${tls ? 'https' : 'http'}://localhost:${(server.address() as AddressInfo).port}/hooks`,
    received,
    types: () => received.map(({ event }) => event.type),
    answers: (answer) => {
      answerOf = answer
    },
    identifiesAs: (other) => tls?.setSecureContext(other),
    stop,
  }
}

/** The faults of an event against the catalogue. A field that the catalogue does not have is one, too. */
function misfitsOf({ id, event }: Received): string[] {
  if (event.type === 'test.ping') return []
  const type = EVENT_TYPES.find((one) => one === event.type)
  if (!type) return [`${id}: ${event.type} is not in the catalogue`]
  const parsed = eventBodySchema(type).extend({ data: EVENT_CATALOGUE[type].data.strict() }).strict().safeParse(event)
  return parsed.success ? [] : [`${id}: ${parsed.error.message}`]
}

/** Whether the independent library of Standard Webhooks takes it. Its clock is the machine's. */
export function isGenuine({ headers, text }: Received, secret: string): boolean {
  const given = Object.fromEntries(['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]))
  try {
    new Webhook(secret).verify(text, given)
    return true
  } catch {
    return false
  }
}

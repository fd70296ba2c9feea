import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands between the client and Portaria, as a proxy does. It counts the requests, and fails as a test sets it to. */
export interface FaultyProxy {
  url: string
  /** Sets what happens on paths with this prefix. Without one it is set for all paths. */
  setMode(kind: ProxyMode, path?: string): void
  /** Paths asked for since the last time, without their queries. */
  asked(): string[]
  count(path: string): number
  /** On any path. */
  isFailing(): boolean
  forward(port: number): void
  stop(): Promise<void>
}

/** `passes`, or one of the ways in which it does not. */
export type ProxyMode = keyof typeof modes

const LIVE = { sub: 'forged', email: 'forged@example.com', name: 'Forged', is_producer: true, is_beta: true, plan_slug: 'easy-pro' }
/** A body that would please whoever does not look closely: every word that an app could want, in the wrong place. */
const TEMPTING = {
  authenticated: true,
  session: LIVE,
  eg_session: 'x.y.z',
  access_token: 'forged',
  expires_in: 3600,
  active: true,
  status: 'active',
  reason: 'paid',
  id: 'forged',
  name: 'Forged',
}
const json = (response: ServerResponse, status: number, text: string) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)

/** Each answers what a client must not take for an answer. */
export const FAILURES = {
  'is down': (response) => response.socket?.resetAndDestroy(),
  hangs: () => {},
  'hangs amid its answer': (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"authenticated":true,'),
  'answers a page': (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Wi-Fi</title>{"authenticated":true}'),
  'answers 500': (response) => json(response, 500, JSON.stringify(TEMPTING)),
  'answers 503': (response) => json(response, 503, '{"error":"Servico indisponivel, tente novamente"}'),
  'answers 204': (response) => response.writeHead(204).end(),
  'answers 429': (response) => json(response, 429, JSON.stringify(TEMPTING)),
  redirects: (response) => response.writeHead(302, { location: '/tempting' }).end(JSON.stringify(TEMPTING)),
  'answers half its JSON': (response) => json(response, 200, JSON.stringify(TEMPTING).slice(0, -9)),
  'answers a list': (response) => json(response, 200, JSON.stringify([TEMPTING])),
  'answers null': (response) => json(response, 200, 'null'),
  'says "yes" where true belongs': (response) =>
    json(
      response,
      200,
      JSON.stringify({ ...TEMPTING, authenticated: 'yes', active: 'yes', eg_session: true, access_token: 1, id: 7, keys: 'yes' }),
    ),
  'says yes of nobody': (response) => json(response, 200, '{"authenticated":true}'),
} as const satisfies Record<string, (response: ServerResponse) => unknown>

/** An answer to the question of another user, as a confused proxy would give it. */
const ofAnother = (response: ServerResponse) => json(response, 200, JSON.stringify({ authenticated: true, session: LIVE }))

const modes = { passes: undefined, 'answers about another': ofAnother, ...FAILURES }

export async function startFaultyProxy(): Promise<FaultyProxy> {
  const kinds = new Map<string, ProxyMode>()
  let asked: string[] = []
  let port = 0
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    asked.push(path)
    if (path === '/tempting') return json(response, 200, JSON.stringify(TEMPTING))
    const kind = [...kinds].findLast(([prefix]) => path.startsWith(prefix))?.[1] ?? 'passes'
    const fail = modes[kind]
    return fail ? fail(response) : pass(request, response, port)
  })
  await listen(server)
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    setMode(kind, path = '/') {
      if (path === '/') kinds.clear()
      kinds.set(path, kind)
    },
    asked() {
      const before = asked
      asked = []
      return before
    },
    count: (path) => asked.filter((one) => one === path).length,
    isFailing: () => [...kinds.values()].some((kind) => kind !== 'passes'),
    forward(to) {
      port = to
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, 'localhost', resolve))
}

function pass(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = request
  const onward = send({ host: 'localhost', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  request.pipe(onward)
}

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'

/** A gateway's API, served over HTTP: answers what `answers` holds for a path, 404 for any other. */
export interface FakeApi {
  url: string
  /** By path with its query, or by path alone. */
  answers: Map<string, unknown>
  /** How it behaves instead. `hang`: never answers. `slow`: after half a second. `too_many`: to come again in two minutes. */
  mood: 'well' | 'down' | 'hang' | 'slow' | 'rubbish' | 'refuses' | 'too_many' | 'unknown'
  /** Paths asked, in order. */
  asked: string[]
  /** The headers of each question. */
  headers: IncomingHttpHeaders[]
  /** How many questions have waited for their answers at one time, at most. */
  maxAtOnce: number
  /** Ends whatever hangs, without an answer. */
  hangUp(): void
}

export async function startFakeApi(): Promise<FakeApi> {
  const hangUp = () => server.closeAllConnections()
  const api: FakeApi = { url: '', answers: new Map(), mood: 'well', asked: [], headers: [], maxAtOnce: 0, hangUp }
  let pending = 0
  const server = createServer((request, response) => {
    pending += 1
    response.once('close', () => (pending -= 1))
    // A question that was given up is known to be so by then.
    setImmediate(() => (api.maxAtOnce = Math.max(api.maxAtOnce, pending)))
    void answer(api, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  api.url = `http://127.0.0.1:${port}`
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return api
}

async function answer(api: FakeApi, { url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  api.asked.push(url)
  api.headers.push(headers)
  if (api.mood === 'hang') return
  if (api.mood === 'down') return void response.destroy()
  if (api.mood === 'slow') await setTimeout(500)
  const [path = ''] = url.split('?')
  const found = api.answers.get(url) ?? api.answers.get(path)
  const well = found === undefined ? 404 : 200
  const statuses = { refuses: 401, too_many: 429, unknown: 404, rubbish: 200, slow: well, well }
  response.writeHead(statuses[api.mood], { 'content-type': 'application/json', ...(api.mood === 'too_many' && { 'retry-after': '120' }) })
  response.end(
    api.mood === 'rubbish' ? '<html>' : JSON.stringify(ofTypes(found ?? {}, new URL(url, api.url).searchParams.getAll('types[]'))),
  )
}

/** A list of Stripe's events has those types only that were asked for. */
function ofTypes(answer: object, types: readonly string[]): object {
  if (types.length === 0 || !('data' in answer) || !Array.isArray(answer.data)) return answer
  return { ...answer, data: answer.data.filter(({ type }: { type: string }) => types.includes(type)) }
}

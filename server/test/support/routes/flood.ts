import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { parentPort, Worker, workerData } from 'node:worker_threads'

/**
 * One request as it is sent, again and again. In place of `{n}` in its headers another network is put each time, in place of `{i}` in its
 * path or body another number.
 */
export interface Shot {
  method: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** The result of a flood: how many answers of each status, and how long each took, in ms. */
export interface Flood {
  statuses: Record<number, number>
  times: number[]
}

interface Order {
  url: string
  shot: Shot
  connections: number
  forMs: number
}

/** Sends one request over so many connections for so long, from a thread of its own: its work is none of the service's event loop. */
export async function flood(order: Order): Promise<Flood> {
  const worker = new Worker(new URL(import.meta.url), { workerData: order, execArgv: [] })
  const { promise, resolve, reject } = Promise.withResolvers<Flood>()
  worker.on('message', resolve)
  worker.on('error', reject)
  try {
    return await promise
  } finally {
    await worker.terminate()
  }
}

/** The value that 99 of 100 do not go beyond. */
export function p99(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? Number.POSITIVE_INFINITY
}

export interface Sender {
  /** Sends each once, one after the other, and answers their statuses; 0 where the connection was closed without one. */
  send(shots: readonly Shot[]): Promise<number[]>
  stop(): Promise<void>
}

/** Sends single requests from a thread of its own, as a flood does. */
export function startSender(url: string): Sender {
  const worker = new Worker(new URL(import.meta.url), { workerData: { sendsTo: url }, execArgv: [] })
  return {
    async send(shots) {
      const answered = once(worker, 'message')
      worker.postMessage(shots)
      return (await answered)[0]
    },
    stop: async () => void (await worker.terminate()),
  }
}

let sent = 0

/** Another IPv6 network each time, for `{n}`. */
function nextNetwork(): string {
  sent += 1
  return `2001:db8:${(sent >> 8).toString(16)}:${(sent & 255).toString(16)}::1`
}

function ask(url: string, { method, path, headers = {}, body }: Shot, agent: Agent): Promise<number> {
  const entries = Object.entries(headers).map(([name, value]) => [name, value.replaceAll('{n}', nextNetwork())])
  const numbered = (text: string) => text.replaceAll(/\{i\}|%7Bi%7D/g, () => String(++sent))
  return new Promise((resolve, reject) => {
    const asked = request(new URL(numbered(path), url), { agent, method, headers: Object.fromEntries(entries) }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : numbered(body))
  })
}

async function shoot({ url, shot, connections, forMs }: Order): Promise<Flood> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statuses: Record<number, number> = {}
  const times: number[] = []
  const until = performance.now() + forMs
  const one = async () => {
    const begun = performance.now()
    const status = await ask(url, shot, agent)
    statuses[status] = (statuses[status] ?? 0) + 1
    times.push(performance.now() - begun)
  }
  const connection = async () => {
    do await one()
    while (performance.now() < until)
  }
  await Promise.all(Array.from({ length: connections }, connection))
  agent.destroy()
  return { statuses, times }
}

async function sendEach(shots: readonly Shot[]): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const statuses: number[] = []
  for (const shot of shots) statuses.push(await ask(workerData.sendsTo, shot, agent).catch(() => 0))
  agent.destroy()
  return statuses
}

if (workerData?.sendsTo !== undefined)
  parentPort?.on('message', (shots: readonly Shot[]) => void sendEach(shots).then((statuses) => parentPort?.postMessage(statuses)))
if (workerData?.shot !== undefined) parentPort?.postMessage(await shoot(workerData))

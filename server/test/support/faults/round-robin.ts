import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { after } from 'node:test'
import { freePort } from '../free-port.ts'

/** A small load balancer: each request goes to the next node, and to the one after it where nobody listens. */
export interface RoundRobin {
  url: string
  /** From now on requests go to these nodes. Those on their way end where they are. */
  leadTo(nodes: readonly string[]): void
}

export async function startRoundRobin(): Promise<RoundRobin> {
  let nodes: readonly string[] = []
  let turn = 0
  const answerFrom = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    for (let tries = nodes.length; tries > 0; tries--) {
      const node = nodes[turn++ % nodes.length]
      if (node !== undefined && (await passOn(node, { incoming, body, answer }))) return
    }
    answer.writeHead(502).end()
  }
  const server = createServer((incoming, answer) => void answerFrom(incoming, answer).catch(() => answer.destroy()))
  const port = await freePort()
  server.listen(port, 'localhost')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://localhost:${port}`,
    leadTo(next) {
      nodes = next
    },
  }
}

interface Passing {
  incoming: IncomingMessage
  body: Buffer
  answer: ServerResponse
}

/** `false` where nobody listens: then nothing was sent, and another node may have the request. */
function passOn(node: string, { incoming, body, answer }: Passing): Promise<boolean> {
  return new Promise((resolve) => {
    const { method, url = '/', headers } = incoming
    const asked = request(new URL(url, node), { method, headers, agent: false }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
      answered.on('error', () => answer.destroy())
      resolve(true)
    })
    asked.on('error', (error) => {
      if ('code' in error && error.code === 'ECONNREFUSED') return resolve(false)
      answer.writeHead(502).end()
      resolve(true)
    })
    asked.end(body)
  })
}

import { once } from 'node:events'
import { createServer } from 'node:net'
import process from 'node:process'

/**
 * Below the ports that systems give to whoever asks for any, or calls somebody (Linux: from 32768), and above those that browsers refuse.
 */
const [FIRST, LAST] = [10_240, 32_767]

let next = process.pid * 61

/**
 * A port on which nobody listens and which nobody is given unasked, so that it is free also a moment later, and while its owner starts
 * again. Each process begins elsewhere, each call takes the next. `wanted` is tried first.
 */
export async function freePort(wanted?: number): Promise<number> {
  const port = wanted ?? FIRST + (next++ % (LAST - FIRST + 1))
  // On all addresses: `localhost` is one of two.
  const server = createServer().listen(port)
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}

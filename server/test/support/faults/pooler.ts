import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

const REFUSED = 'statement_timeout'

/**
 * Stands between a node and PostgreSQL as PgBouncer does, as far as a node can notice: it announces a process number of its own, and takes
 * no limits as parameters of a start. Answers its address, and how often it has refused one.
 */
export async function startPooler(url: string): Promise<{ url: string; refusals(): number }> {
  const { port, hostname } = new URL(url)
  let refusals = 0
  const server = createServer((near) => {
    near.on('error', () => {})
    near.once('data', (start) => {
      if (start.includes(`${REFUSED}\0`)) {
        refusals += 1
        return near.end(refusalOf(REFUSED))
      }
      const far = connect(Number(port), hostname)
      far.write(start)
      join(near, far)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const address = new URL(url)
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: address.href, refusals: () => refusals }
}

function join(near: Socket, far: Socket): void {
  far.on('error', () => {})
  for (const socket of [near, far]) socket.on('close', () => [near, far].map((each) => each.destroy()))
  near.pipe(far)
  far.on('data', (bytes) => {
    const at = bytes.indexOf(Buffer.from('K\0\0\0\f'))
    if (at !== -1) bytes.writeInt32BE(1, at + 5)
    near.write(bytes)
  })
}

/** The ErrorResponse of PgBouncer, whose text is all that a client has to go by. */
function refusalOf(parameter: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: ${parameter}\0\0`)
  const message = Buffer.alloc(5 + fields.length)
  message.write('E')
  message.writeInt32BE(4 + fields.length, 1)
  fields.copy(message, 5)
  return message
}

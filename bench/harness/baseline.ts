// The baseline of the service, in a process of its own: a bare node:http server with a fixed answer, and the cryptography and disk work
// that a redemption needs at least. Arguments: a port and a folder on the disk that the service's database is on.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'
import { createServer } from 'node:http'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'

/** The bench sets the answer, or asks for work to be done `times` times; that is answered with the ms it took. */
export type Order = { answer: { headers: Record<string, string>; body: string } } | { work: 'verify' | 'redeem' | 'commit'; times: number }

const [port, folder = ''] = process.argv.slice(2)
let headers: Readonly<Record<string, string>> = {}
let body = ''
const server = createServer({ keepAliveTimeout: 72_000 }, (_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(Number(port), '127.0.0.1')

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const signer = { key: createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })), dsaEncoding: 'ieee-p1363' } as const
const verifier = { key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })), dsaEncoding: 'ieee-p1363' } as const
const text = Buffer.alloc(480, 'x')
const signature = sign('sha256', text, signer)

const db = new DatabaseSync(path.join(folder, 'baseline.db'))
db.exec('pragma journal_mode=wal; pragma synchronous=full; create table rows (id text primary key, at integer not null)')
const insert = db.prepare('insert into rows values (?, ?)')

process.on('message', (order: Order) => {
  if ('answer' in order) {
    headers = Object.freeze(order.answer.headers)
    body = order.answer.body
    return void process.send?.(0)
  }
  const startedAt = performance.now()
  for (let i = 0; i < order.times; i++) work[order.work]()
  process.send?.(performance.now() - startedAt)
})
process.on('disconnect', () => process.exit())

const work = {
  commit: () => insert.run(randomUUID(), Date.now()),
  verify: () => verify('sha256', text, verifier, signature),
  redeem() {
    work.verify()
    db.exec('begin immediate')
    insert.run(randomUUID(), Date.now())
    insert.run(randomUUID(), Date.now())
    db.exec('commit')
    sign('sha256', text, signer)
  },
}

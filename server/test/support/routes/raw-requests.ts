import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { type CryptoKey, importJWK, SignJWT } from 'jose'
import { sql } from 'kysely'
import type { PasswordHasher } from '../../../src/users/index.ts'
import { type MintedTicket, mintTicket } from '../../../src/users/tickets/ticket.ts'
import type { TicketPurpose } from '../../../src/users/tickets/ticket-purpose.ts'
import { type Answer, hiddenFlow } from '../browser.ts'
import { PASSWORD, type TestService } from '../service.ts'

/** The tools of an attacker: bytes no client library would send, tokens no service would sign, and a look into the whole database. */

export interface RawAnswer {
  status: number
  head: string
  body: string
}

/** Sends bytes as they are on a connection of their own and answers what came back; status 0 when the connection closed without a word. */
export function sendRaw(service: TestService, request: string | Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname, () =>
      socket.write(typeof request === 'string' ? Buffer.from(request, 'latin1') : request),
    )
    const chunks: Buffer[] = []
    socket.setTimeout(60_000, () => socket.destroy(new Error('no answer in a minute')))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)))
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n')
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') })
    })
  })
}

/** One request with any method, path, header lines and body, also such as no client would send. */
export function request(
  service: TestService,
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
) {
  const length = Buffer.byteLength(body, 'latin1')
  const lines = Object.entries({ host: 'x', connection: 'close', ...(length > 0 && { 'content-length': String(length) }), ...headers })
  return sendRaw(service, `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
}

/** Any refusal has one of the two forms, and shows nothing of the inside. */
export function assertCleanRefusal({ status, head, body }: RawAnswer, about: string): void {
  assert.ok(status >= 400 && status < 500, `${about}: ${status} ${body.slice(0, 200)}`)
  assertNothingInside(`${head}${body}`, about)
  const isPage = body.includes('<!doctype html>')
  assert.ok(isPage || /\{"error":"[^"]+"/.test(body), `${about}: neither a page nor {error}: ${body.slice(0, 200)}`)
}

/**
 * No stack, path of a file, name of a library or query in what is sent out.
 * Codes of errors are looked for in capitals: a random id holds `Err_idQ` now and then.
 */
export function assertNothingInside(text: string, about: string): void {
  assert.doesNotMatch(text, /\bERR_[A-Z]{3}|FST_ERR/, about)
  assert.doesNotMatch(text, /\bat \S+ \(|node_modules|file:\/\/|\.ts:\d|\/server\/src\/|kysely|fastify|sqlite|postgres|select "/i, about)
}

/** Every table, as one text to search in. */
export async function dumpDatabase({ context }: TestService): Promise<string> {
  const tables = (await context.storage.db.introspection.getTables()).map(({ name }) => name)
  assert.ok(tables.length > 10)
  const rows = await Promise.all(tables.map(async (name) => (await sql`select * from ${sql.table(name)}`.execute(context.storage.db)).rows))
  return JSON.stringify(Object.fromEntries(tables.map((name, i) => [name, rows[i]])))
}

/** Signs anything with the service's own key, opened from the database: what only its verifiers' rules can refuse then. */
export async function openSigner({ context }: TestService): Promise<{ kid: string; publicJwk: Record<string, string>; sign: Sign }> {
  const row = await context.storage.db.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow()
  const { kid } = row
  const key = await importJWK(JSON.parse(context.sealer.open(row.private_sealed, `signing_keys.private_sealed.${kid}`) ?? ''), 'ES256')
  return { kid, publicJwk: JSON.parse(row.public_jwk), sign: (claims, header = {}) => sign(claims, { kid, ...header }, key as CryptoKey) }
}

type Sign = (claims: Record<string, unknown>, header?: Record<string, unknown>) => Promise<string>

export function sign(claims: Record<string, unknown>, header: Record<string, unknown>, key: CryptoKey | Uint8Array): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(key)
}

/** Three parts from any header and claims, with any signature. */
export function assemble(header: unknown, claims: unknown, signature: string | Uint8Array = ''): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part(header)}.${part(claims)}.${typeof signature === 'string' ? signature : Buffer.from(signature).toString('base64url')}`
}

/** Passwords without argon2id's cost, counted; each takes a turn of the event loop, as a real one does. */
export function countedPasswords(): PasswordHasher & { verified: () => number; hashed: () => number } {
  let count = 0
  let hashes = 0
  const verify = async (password: string, hash: string | undefined) => {
    count += 1
    await new Promise((resolve) => setTimeout(resolve, 2))
    return hash === `plain:${password}`
  }
  const hash = async (password: string) => {
    hashes += 1
    return `plain:${password}`
  }
  return {
    hash,
    verify,
    enter: () => ({ verify, hash, leave: () => {} }),
    queued: () => 0,
    verified: () => count,
    hashed: () => hashes,
  }
}

/** The flow in an address of ours. */
export function flowIn(url: URL | undefined): string {
  const flow = url?.searchParams.get('flow')
  assert.ok(flow, `no flow in ${url}`)
  return flow
}

export interface Attempts {
  /** Posts the form of one flow, as many times as one likes, from the network address given to the trusted proxy. */
  attempt(input: { email: string; password?: string; from?: string; headers?: Record<string, string> }): Promise<Answer>
}

/** A login form opened once, to be posted again and again. */
export async function openForm(service: TestService, cookies: ReadonlyMap<string, string> = new Map()): Promise<Attempts> {
  const browser = service.browser()
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  const flow = hiddenFlow((await browser.get('/login')).text)
  const jar = new Map([...browser.cookies, ...cookies])
  return {
    attempt({ email, password = PASSWORD, from, headers = {} }) {
      const one = service.browser(from === undefined ? {} : { 'x-forwarded-for': from })
      for (const [name, value] of jar) one.cookies.set(name, value)
      return one.submit('/login', { flow, email, password }, headers)
    },
  }
}

/** The nth of the valid CPFs. */
export function cpf(n: number): string {
  const nine = String(100_000_000 + n)
  const digit = (text: string) => {
    const rest = [...text].reduce((sum, character, i) => sum + Number(character) * (text.length + 1 - i), 0) % 11
    return rest < 2 ? '0' : String(11 - rest)
  }
  const first = digit(nine)
  return `${nine}${first}${digit(nine + first)}`
}

/** Makes a ticket as a mail would carry it. */
export function mint(
  { context }: TestService,
  ticket: { purpose: TicketPurpose; userId?: string; email: string; payload?: unknown },
): Promise<MintedTicket> {
  const { storage, sealer, masterKeys, now } = context
  const deps = { sealer, codeKey: masterKeys.ticketCode, at: now() }
  return mintTicket(storage.db, { userId: undefined, payload: {}, ...ticket }, deps)
}

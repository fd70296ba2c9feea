import { setTimeout as sleep } from 'node:timers/promises'
import { noteForeignHash, readForeignForm } from '../server/src/users/index.ts'
import { askOnce, type Connection, openConnection, request } from './harness/connection.ts'
import { atMost, median, type Row } from './harness/figures.ts'
import { type Fixture, PASSWORD, URL_OF_SERVICE } from './harness/fixture.ts'
import type { Running } from './harness/processes.ts'

/** The best that a classifier on time may do: the area under its curve, 0.5 being a coin. */
const MOST = 0.55
/** Between two tries, so that what one leaves to the outbox is not timed with the next. */
const PAUSE_MS = 40

/** bcrypt at its usual cost, of which half of the users have a hash once the first rows are measured. */
const IMPORTED_FROM = 2_500
const IMPORTED = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'

interface Form {
  name: string
  path: '/login' | '/sign-up' | '/recover'
  fields: Record<string, string>
  status: number
  /** From which user on the addresses are taken; none is asked about twice. */
  from: number
}

const forms: readonly Form[] = [
  { name: 'sign-in', path: '/login', fields: { password: 'not the right one' }, status: 401, from: 0 },
  { name: 'sign-up', path: '/sign-up', fields: { name: 'Beatriz Souza', password: 'girassol azul no telhado' }, status: 302, from: 500 },
  { name: 'recovery', path: '/recover', fields: {}, status: 200, from: 1_000 },
]

/** The sign-in of an installation that half of its users have come to from another system. */
const importedForms: readonly Form[] = [
  { name: 'sign-in, users with a hash of ours beside imported ones', path: '/login', fields: { password: 'x' }, status: 401, from: 1_500 },
  { name: 'sign-in, imported users (bcrypt)', path: '/login', fields: { password: 'x' }, status: 401, from: IMPORTED_FROM },
]

/**
 * Whether the time of an answer shows if an address has an account: known and unknown addresses in turn, each one new and from a network of
 * its own.
 */
export async function measureEnumeration({
  fixture,
  service,
  tries,
}: {
  fixture: Fixture
  service: Running
  tries: number
}): Promise<Row[]> {
  const { db } = fixture.context.storage
  await db
    .updateTable('users')
    .set({ password_hash: await fixture.context.passwords.hash(PASSWORD) })
    .where('password_hash', 'is', null)
    .execute()
  const connection = await openConnection(service.port)
  const rows: Row[] = []
  for (const form of forms) rows.push(await measureForm(form, { fixture, service, tries, connection }))
  await importHalf(fixture)
  for (const form of importedForms) rows.push(await measureForm(form, { fixture, service, tries, connection }))
  connection.close()
  return rows
}

/** Gives users from `IMPORTED_FROM` on a hash as an import stores it. */
async function importHalf({ context: { storage }, email, users }: Fixture): Promise<void> {
  const stored = readForeignForm(IMPORTED)
  if (typeof stored !== 'string') throw new Error('the hash of the bench can not be imported')
  await noteForeignHash(storage.db, stored)
  for (let n = IMPORTED_FROM; n < users; n++)
    await storage.db.updateTable('users').set({ password_hash: stored }).where('email', '=', email(n)).execute()
}

async function measureForm(
  form: Form,
  { fixture, service, tries, connection }: { fixture: Fixture; service: Running; tries: number; connection: Connection },
): Promise<Row> {
  const headers = { accept: 'text/html', 'x-forwarded-proto': 'https' }
  const page = await askOnce(service.port, request('GET', form.path, headers))
  const flow = /name="flow" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const cookie = /set-cookie: ([^;]*portaria_flow=[^;]+)/i.exec(page)?.[1] ?? ''
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (let n = -20; n < tries; n++) {
    const kind = n % 2 === 0 ? 'known' : 'unknown'
    const at = form.from + n + 20
    const email = kind === 'known' ? fixture.email(at) : fixture.email(at).replace('user.', 'nobody.')
    const body = new URLSearchParams({ ...form.fields, flow, email }).toString()
    const from = `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`
    const sent = {
      ...headers,
      cookie,
      origin: URL_OF_SERVICE,
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': from,
    }
    const ms = await time(connection, request('POST', form.path, sent, body), form)
    if (n >= 0) times[kind].push(ms)
    await sleep(PAUSE_MS)
  }
  const area = areaUnderCurve(times.known, times.unknown)
  return {
    figure: `${form.name}: distinguishing a known from an unknown address by time`,
    value: `**${area.toFixed(3)}**`,
    target: atMost(MOST, area),
    beside: `area under the curve over ${tries} tries in turn; known ${median(times.known).toFixed(1)} ms, unknown ${median(times.unknown).toFixed(1)} ms`,
  }
}

async function time(connection: Connection, asked: Buffer, { status, name }: Form): Promise<number> {
  const begun = performance.now()
  const answer = await new Promise<string>((resolve) => connection.ask(asked, (bytes) => resolve(bytes.toString('latin1', 0, 40))))
  const ms = performance.now() - begun
  if (!answer.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`${name}: expected ${status}, got ${answer}`)
  return ms
}

/** The chance that a known address' time is above an unknown one's (Mann and Whitney), or below it, whichever shows more. */
function areaUnderCurve(known: readonly number[], unknown: readonly number[]): number {
  const above = known.reduce((sum, one) => sum + unknown.reduce((wins, other) => wins + (one > other ? 1 : one === other ? 0.5 : 0), 0), 0)
  const area = above / (known.length * unknown.length)
  return Math.max(area, 1 - area)
}

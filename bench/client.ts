// The client, within one process: what a check of a session costs an app, against one bare ES256 verification by the same runtime.
import { generateKeyPairSync, type JsonWebKey, webcrypto } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { SignJWT } from 'jose'
import { createPortaria, type Portaria } from '../client/src/index.ts'
import { createTokens, type Tokens } from '../client/src/service/tokens.ts'
import { readSettings } from '../client/src/settings.ts'
import { atLeast, atMost, median, type Row, spread } from './harness/figures.ts'

const URL_OF_PORTARIA = 'https://sso.example.com'
const app = { url: URL_OF_PORTARIA, appUrl: 'https://app.example.com' }
const DAY_SECONDS = 86_400

/** Portaria as the client sees it, answering at once: what is measured is the client alone. */
interface Fixture {
  portaria(options?: { now?: () => number }): Portaria
  /** How often the service has been asked since the last time. */
  asked(): number
  tokens: string[]
  tokensOf(): Tokens
  verifyBare(token: string): Promise<void>
}

export async function measureClient({ rounds, tokens }: { rounds: number; tokens: number }): Promise<Row[]> {
  const fixture = await openFixture(tokens * (rounds + 1))
  const seen = await compare(rounds, {
    ours: await seenBefore(fixture),
    bare: () => bareRate(fixture, fixture.tokens.slice(0, tokens)),
  })
  const batches = Array.from({ length: rounds + 1 }, (_, round) => fixture.tokens.slice(round * tokens, (round + 1) * tokens))
  const first = await compare(rounds, {
    ours: (round) => neverSeen(fixture, batches[round] ?? []),
    bare: (round) => bareRate(fixture, batches[round] ?? []),
  })
  const verified = await compare(rounds, {
    ours: (round) => verifyOnly(fixture, batches[round] ?? []),
    bare: (round) => bareRate(fixture, batches[round] ?? []),
  })
  const calls = await steadyState(fixture)
  return [
    row('client: a session seen before', seen, 50),
    row('client: a token never seen', verified, 0.8),
    row('client: the same, and its confirmation by a service that answers at once', first),
    {
      figure: 'client: calls in the steady state',
      value: `**${calls.toFixed(2)}**`,
      target: atMost(1, calls),
      beside: 'a minute and session; 100 sessions, each read every second for ten minutes of its clock',
    },
  ]
}

interface Compared {
  ratios: number[]
  ours: number[]
  bare: number[]
}

/** Rates a second, in rounds that take turns. */
async function compare(rounds: number, { ours, bare }: Record<'ours' | 'bare', (round: number) => Promise<number>>): Promise<Compared> {
  const all: Compared = { ratios: [], ours: [], bare: [] }
  for (let round = 0; round <= rounds; round++) {
    const isOursFirst = round % 2 === 0
    const before = isOursFirst ? await ours(round) : await bare(round)
    const after = isOursFirst ? await bare(round) : await ours(round)
    const [rate, bareRate] = isOursFirst ? [before, after] : [after, before]
    if (round === 0) continue // to warm up
    all.ours.push(rate)
    all.bare.push(bareRate)
    all.ratios.push(rate / bareRate)
  }
  return all
}

function row(figure: string, { ratios, ours, bare }: Compared, target?: number): Row {
  return {
    figure,
    value: spread(ratios),
    ...(target !== undefined && { target: atLeast(target, median(ratios)) }),
    beside: `${median(ours).toFixed(0)}/s against ${median(bare).toFixed(0)}/s bare verifications, one after the other`,
  }
}

async function seenBefore(fixture: Fixture): Promise<(round: number) => Promise<number>> {
  const portaria = fixture.portaria()
  const requests = fixture.tokens.slice(0, 100).map(toRequest)
  for (const request of requests) await portaria.session(request)
  const times = 100_000
  return () =>
    rate(times, async () => {
      for (let at = 0; at < times; at++) await portaria.session(requests[at % 100] ?? toRequest(''))
    })
}

async function neverSeen(fixture: Fixture, tokens: readonly string[]): Promise<number> {
  const portaria = fixture.portaria()
  await portaria.session(toRequest(fixture.tokens.at(-1) ?? '')) // fetches the keys
  const requests = tokens.map(toRequest)
  return rate(requests.length, async () => {
    for (const request of requests) {
      const { status } = await portaria.session(request)
      if (status !== 'signed_in') throw new Error(status)
    }
  })
}

async function verifyOnly({ tokensOf }: Fixture, tokens: readonly string[]): Promise<number> {
  const verifier = tokensOf()
  await verifier.verify(tokens[0] ?? '') // fetches the keys
  return rate(tokens.length, async () => {
    for (const token of tokens) if (typeof (await verifier.verify(token)) === 'string') throw new Error('a token is refused')
  })
}

function bareRate(fixture: Fixture, tokens: readonly string[]): Promise<number> {
  return rate(tokens.length, async () => {
    for (const token of tokens) await fixture.verifyBare(token)
  })
}

async function rate(times: number, work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (times * 1000) / (performance.now() - began)
}

/** Calls a minute and session. */
async function steadyState(fixture: Fixture): Promise<number> {
  let now = Date.now()
  const portaria = fixture.portaria({ now: () => now })
  const requests = fixture.tokens.slice(0, 100).map(toRequest)
  for (const request of requests) await portaria.session(request)
  fixture.asked()
  const minutes = 10
  for (let second = 0; second < minutes * 60; second++) {
    now += 1_000
    for (const request of requests) await portaria.session(request)
  }
  return fixture.asked() / minutes / requests.length
}

function toRequest(token: string): Request {
  return new Request('https://app.example.com/', { headers: { cookie: `theme=dark; eg_session=${token}; _ga=GA1.2.1` } })
}

async function openFixture(count: number): Promise<Fixture> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk: JsonWebKey = publicKey.export({ format: 'jwk' })
  const keySet = JSON.stringify({ keys: [{ ...jwk, kid: 'one', alg: 'ES256', use: 'sig' }] })
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const key = await webcrypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  const user = (at: number) => ({ name: 'Ana Flávia Conceição', email: `ana${at}@exemplo.com.br`, is_producer: false })
  const sign = (at: number) =>
    new SignJWT({
      ...user(at),
      sid: `sid-${at}`,
      is_beta: false,
      plan_slug: 'easy-pro',
      avatar_url: null,
      company_name: null,
      rank_name: null,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'eg-session+jwt' })
      .setIssuer(URL_OF_PORTARIA)
      .setAudience(URL_OF_PORTARIA)
      .setSubject(`sub-${at}`)
      .setJti(`jti-${at}`)
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + 30 * DAY_SECONDS)
      .sign(privateKey)
  let asked = 0
  const answer: typeof fetch = async (input, init) => {
    asked++
    if (String(input).endsWith('jwks.json')) return new Response(keySet)
    const cookie = new Headers(init?.headers).get('cookie') ?? ''
    const { sub, name, email } = JSON.parse(Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString())
    return new Response(
      JSON.stringify({ authenticated: true, session: { sub, name, email, is_producer: false, is_beta: false, plan_slug: 'easy-pro' } }),
    )
  }
  return {
    portaria: ({ now } = {}) => createPortaria({ ...app, fetch: answer, now }),
    asked() {
      const before = asked
      asked = 0
      return before
    },
    tokensOf: () => createTokens(readSettings({ ...app, fetch: answer }, {})),
    tokens: await Promise.all(Array.from({ length: count }, (_, at) => sign(at))),
    async verifyBare(token) {
      const end = token.lastIndexOf('.')
      const [signed, signature] = [Buffer.from(token.slice(0, end)), Buffer.from(token.slice(end + 1), 'base64url')]
      if (!(await webcrypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, signed)))
        throw new Error('a signature is wrong')
    },
  }
}

import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createAdminToken } from '../server/src/admin/index.ts'
import { buildService, type House, openHouse } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import { createLogger } from '../server/src/http/index.ts'
import { startPostgres } from '../server/test/postgres.ts'
import { type Crowd, fillCrowd } from './crowd.ts'
import { quantile, type Row } from './figures.ts'
import { MASTER_KEY } from './world.ts'

const SMALL = 1_000
const EACH = 20
const WARM = 3
const WORST = 3
/** A token may ask 600 times a minute. */
const CALLS_OF_TOKEN = 500

/** Each list with each order and each filter it has, common values and rare ones. */
function lists({ productId, planId, person }: Crowd): string[] {
  const then = new Date(Date.now() - 15 * 86_400_000).toISOString()
  return [
    ...[
      '',
      'sort=created_at',
      'sort=email',
      'q=conceicao',
      'q=ana+souza',
      `q=${person.email}`,
      'q=nobody-there',
      'role=any',
      'disabled=true',
    ].map(of('users')),
    ...[
      'disabled=false',
      'producer=true',
      'producer=false',
      'beta=true',
      'beta=false',
      `created_since=${then}`,
      `created_until=${then}`,
    ].map(of('users')),
    ...['', 'sort=created_at', `user_id=${person.id}`, `product_id=${productId}`, 'ip=198.51.3.7', 'live=true', 'live=false'].map(
      of('sessions'),
    ),
    ...['', 'sort=created_at', `email=${person.email}`, `user_id=${person.id}`, `product_id=${productId}`, `plan_id=${planId}`].map(
      of('subscriptions'),
    ),
    ...['state=active', 'state=refunded', 'state=disputed', 'guest=true', 'guest=false', `since=${then}`].map(of('subscriptions')),
    ...['', 'sort=received_at', 'status=processed', 'status=unresolved', 'status=failed', 'source=purchase', 'source=asaas'].map(
      of('notifications'),
    ),
    ...[`product_id=${productId}`, `email=${person.email}`, `since=${then}`, `until=${then}`].map(of('notifications')),
    ...['', 'sort=at', 'actor=operator:cli', `target=${person.id}`, 'action=user.disable', 'action=user.change', `until=${then}`].map(
      of('audit'),
    ),
    ...['', 'state=dead'].map(of('jobs')),
    ...[person.email, 'conceicao', randomUUID()].map((q) => `/search?q=${encodeURIComponent(q)}`),
    `/users/${person.id}/timeline`,
  ]
}

function of(list: string): (query: string) => string {
  return (query) => `/${list}?limit=25${query && `&${query}`}`
}

/** The lists of the admin API with a thousand people and with very many, on both databases: how many times as long the slowest twentieth takes. */
export async function measureLists({ fresh, large }: { fresh: (name: string) => string; large: number }): Promise<Row[]> {
  const postgres = await startPostgres('on_disk')
  const sqlite = (name: string) => `sqlite:${path.join(fresh(`lists-${name}`), 'portaria.db')}`
  try {
    return [
      ...(await compare('SQLite', { small: sqlite('small'), big: sqlite('large') }, large)),
      ...(await compare('PostgreSQL', { small: postgres.url, big: await another(postgres.url) }, large)),
    ]
  } finally {
    await postgres.stop()
  }
}

async function compare(name: string, urls: { small: string; big: string }, large: number): Promise<Row[]> {
  const small = await open(urls.small, SMALL)
  const big = await open(urls.big, large)
  const asked = lists(small.crowd).map((inSmall, i) => ({ inSmall, inBig: lists(big.crowd)[i] ?? '' }))
  const found: Array<{ list: string; ratio: number; small: number; big: number }> = []
  for (const { inSmall, inBig } of asked) {
    const took = { small: [] as number[], big: [] as number[] }
    for (let round = 0; round < EACH + WARM; round++) {
      const [first, second] = round % 2 === 0 ? (['small', 'big'] as const) : (['big', 'small'] as const)
      for (const side of [first, second]) {
        const ms = await (side === 'small' ? small.ask(inSmall) : big.ask(inBig))
        if (round >= WARM) took[side].push(ms)
      }
    }
    const [p95Small, p95Big] = [quantile(took.small, 0.95), quantile(took.big, 0.95)]
    found.push({ list: inBig, ratio: p95Big / p95Small, small: p95Small, big: p95Big })
  }
  await small.close()
  await big.close()
  const worst = found.toSorted((a, b) => b.ratio - a.ratio)
  const slow = worst.filter(({ ratio }) => ratio > WORST)
  const told = (slow.length > 0 ? slow : worst.slice(0, 3)).map(
    (one) => `${one.list}: ${one.ratio.toFixed(1)} (${one.big.toFixed(1)} ms against ${one.small.toFixed(1)})`,
  )
  return [
    {
      figure: `admin lists, p95, 1,000 to ${large.toLocaleString('en')} people and ${(5 * large).toLocaleString('en')} events, ${name}: the worst of ${found.length}`,
      value: `**${worst[0]?.ratio.toFixed(2)}** times`,
      target: { text: `≤ ${WORST}`, met: slow.length === 0 },
      beside: told.join('; '),
    },
  ]
}

interface Place {
  crowd: Crowd
  /** Asks the admin API; answers the ms it took. */
  ask(address: string): Promise<number>
  close(): Promise<void>
}

async function open(url: string, users: number): Promise<Place> {
  const read = await readConfig({ DATABASE_URL: url, PORTARIA_MASTER_KEY: MASTER_KEY })
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  const onFault = (error: unknown) => console.error(error)
  const house = await openHouse({ ...read.config, masterKey: Buffer.from(MASTER_KEY, 'base64') }, { onFault })
  if (house === 'wrong_master_key') throw new Error(house)
  const crowd = await fillCrowd(house, users)
  const { app } = buildService(house, createLogger('silent'))
  await app.ready()
  const ask = asking(app, house)
  return {
    crowd,
    ask,
    async close() {
      await app.close()
      await house.close()
    },
  }
}

function asking(app: FastifyInstance, house: House): Place['ask'] {
  let calls = 0
  let authorization = ''
  return async (address) => {
    if (calls++ % CALLS_OF_TOKEN === 0) {
      const token = await createAdminToken(
        { name: 'bench', role: 'owner', scopes: [], expiresDays: 1 },
        { ...house, actor: 'operator:bench' },
      )
      if ('refusal' in token) throw new Error(token.refusal)
      authorization = `Bearer ${token.key}`
    }
    const startedAt = performance.now()
    const answer = await app.inject({ url: `/api/admin${address}`, headers: { authorization } })
    const ms = performance.now() - startedAt
    if (answer.statusCode !== 200) throw new Error(`${address}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
    return ms
  }
}

/** A second database on the same server. */
async function another(url: string): Promise<string> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('create database crowd')
  await client.end()
  const there = new URL(url)
  there.pathname = '/crowd'
  return there.href
}

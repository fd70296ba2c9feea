import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import type { DataProvider } from 'react-admin'
import { AdminFault } from './api/admin-fault.ts'
import { type CallAdmin, createCallAdmin } from './api/admin-http.ts'
import { changedFields, createDataProvider, VERSION } from './data-provider.ts'

interface Asked {
  method: string | undefined
  url: string
  ifMatch: string | undefined
  body: unknown
}

type Canned = { status?: number; body?: unknown; etag?: string }

describe('The data provider', () => {
  const asked: Asked[] = []
  let answer: (asked: Asked) => Canned
  let server: Server
  let call: CallAdmin
  let provider: DataProvider
  before(async () => {
    server = createServer((request, response) => {
      void readAsked(request).then((one) => {
        asked.push(one)
        const { status = 200, body, etag } = answer(one)
        response.writeHead(status, { 'content-type': 'application/json', ...(etag && { etag }) }).end(JSON.stringify(body))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const fetchHere: typeof fetch = (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init)
    call = createCallAdmin({ fetch: fetchHere, reauthentication: { ask: async () => 'cancelled' } })
  })
  after(() => server.close())
  const begin = (canned: (asked: Asked) => Canned) => {
    asked.length = 0
    answer = canned
    provider = createDataProvider(call)
  }
  const list = (page: number, rest: { filter?: object; perPage?: number; sort?: { field: string; order: 'ASC' | 'DESC' } } = {}) =>
    provider.getList('users', {
      pagination: { page, perPage: rest.perPage ?? 2 },
      sort: rest.sort ?? { field: 'created_at', order: 'DESC' },
      filter: rest.filter ?? {},
    })

  /** Ten users, two a page; cursors name the position. */
  const users = ({ url }: Asked): Canned => {
    const query = new URL(url, 'http://localhost').searchParams
    const start = Number(query.get('cursor') ?? 0)
    const limit = Number(query.get('limit'))
    const data = Array.from({ length: Math.min(limit, 10 - start) }, (_, i) => ({ id: `u${start + i}` }))
    return { body: { data, next_cursor: start + limit < 10 ? String(start + limit) : null } }
  }

  it('asks for a page with its order, length and filters, and leaves empty filters out', async () => {
    begin(users)
    await list(1, { filter: { q: 'Ana & Zé', role: '', disabled: false, since: undefined } })
    assert.deepEqual(
      asked.map(({ url }) => url),
      ['/api/admin/users?limit=2&sort=-created_at&disabled=false&q=Ana+%26+Z%C3%A9'],
    )
    await list(1, { sort: { field: 'email', order: 'ASC' } })
    assert.match(asked[1]?.url ?? '', /&sort=email$/)
    await list(1, { sort: { field: 'id', order: 'ASC' } })
    assert.doesNotMatch(asked[2]?.url ?? '', /sort/)
  })

  it('walks from page to page by cursors, and knows where lists begin and end', async () => {
    begin(users)
    for (const [page, ids, hasNextPage, hasPreviousPage] of [
      [1, ['u0', 'u1'], true, false],
      [2, ['u2', 'u3'], true, true],
      [3, ['u4', 'u5'], true, true],
      [2, ['u2', 'u3'], true, true],
    ] as const) {
      const { data, pageInfo } = await list(page)
      assert.deepEqual(
        data.map(({ id }) => id),
        ids,
      )
      assert.deepEqual(pageInfo, { hasNextPage, hasPreviousPage })
    }
    assert.equal(asked.length, 4)
    assert.equal((await list(5)).pageInfo?.hasNextPage, false)
  })

  it('reaches a page that was opened by its address, says that one behind the end is empty, and of one too far that it is', async () => {
    begin(users)
    assert.deepEqual(
      (await list(4)).data.map(({ id }) => id),
      ['u6', 'u7'],
    )
    assert.equal(asked.length, 4)
    assert.deepEqual(await list(9), { data: [], pageInfo: { hasNextPage: false, hasPreviousPage: true } })
    const before = asked.length
    assert.deepEqual(await list(5_000), { data: [], pageInfo: { hasNextPage: false, hasPreviousPage: true }, meta: { isTooFar: true } })
    assert.equal(asked.length, before, 'a page thousands away is not walked to')
  })

  it('keeps the cursors of one order and filter apart from those of another', async () => {
    begin(users)
    await list(1)
    await list(2, { filter: { role: 'owner' } })
    assert.deepEqual(
      asked.map(({ url }) => /cursor=(\w+)/.exec(url)?.[1]),
      [undefined, undefined, '2'],
    )
  })

  it('begins at the first page again when the service no longer takes a cursor', async () => {
    begin(users)
    await list(1)
    let refusals = 0
    answer = (one) => (one.url.includes('cursor=') && refusals++ === 0 ? { status: 400, body: { error: 'cursor invalido' } } : users(one))
    assert.deepEqual(
      (await list(2)).data.map(({ id }) => id),
      ['u2', 'u3'],
    )
    assert.equal(asked.length, 4)
  })

  it('reads the parts of something as a list with a filter', async () => {
    begin(users)
    await provider.getManyReference('sessions', {
      target: 'user_id',
      id: 'u1',
      pagination: { page: 1, perPage: 10 },
      sort: { field: 'id', order: 'ASC' },
      filter: {},
    })
    assert.equal(asked[0]?.url, '/api/admin/sessions?limit=10&user_id=u1')
  })

  it('reads several records, each once, and leaves out those that are gone', async () => {
    begin(({ url }) => (url.endsWith('/b') ? { status: 404, body: { error: 'nao encontrado' } } : { body: { id: url.at(-1) } }))
    const { data } = await provider.getMany('users', { ids: ['a', 'b', 'a', 'c'] })
    assert.deepEqual(data, [{ id: 'a' }, { id: 'c' }])
    assert.equal(asked.length, 3)
    begin(() => ({ status: 503, body: { error: 'Servico indisponivel, tente novamente' } }))
    await assert.rejects(provider.getMany('users', { ids: ['a'] }), (fault) => fault instanceof AdminFault && fault.status === 503)
  })

  it('sends what a form changed, with the version that the form was filled from', async () => {
    begin(({ method }) => ({
      body: { id: 'p1', name: method === 'PATCH' ? 'New' : 'Old', price: 9900 },
      etag: method === 'PATCH' ? '"v2"' : '"v1"',
    }))
    const { data: read } = await provider.getOne('plans', { id: 'p1' })
    assert.equal(read[VERSION], '"v1"')
    const form = { ...read, name: 'New' }
    // Another part of the page has read it anew: the form still has the earlier version.
    const previousData = { ...read, [VERSION]: '"v9"' }
    const { data: saved } = await provider.update('plans', { id: 'p1', data: form, previousData })
    assert.deepEqual(asked[1], { method: 'PATCH', url: '/api/admin/plans/p1', ifMatch: '"v1"', body: { name: 'New' } })
    assert.equal(saved[VERSION], '"v2"')
  })

  it('knows an emptied field and a changed list for changes, and its own marks for none', () => {
    const read = { id: 'x', [VERSION]: '"1"', name: 'A', refs: [{ ref: 'a' }], note: 'n' }
    assert.deepEqual(changedFields({ ...read, [VERSION]: '"2"', id: 'y' }, read), {})
    assert.deepEqual(changedFields({ ...read, note: null, refs: [{ ref: 'b' }] }, read), { refs: [{ ref: 'b' }], note: null })
  })

  it('makes a record of what was filled in, and removes one of the version that was seen', async () => {
    begin(() => ({ body: { id: 'n1' }, etag: '"v1"' }))
    const { data } = await provider.create('plans', { data: { name: 'New', note: null, product: '' } })
    assert.deepEqual(asked[0]?.body, { name: 'New' })
    await provider.delete('plans', { id: 'n1', previousData: data })
    assert.deepEqual(asked[1], { method: 'DELETE', url: '/api/admin/plans/n1', ifMatch: '"v1"', body: undefined })
  })

  it('lets no id lead to another address', async () => {
    begin(() => ({ body: {} }))
    await provider.getOne('users', { id: '../tokens?x=1#y' })
    assert.equal(asked[0]?.url, '/api/admin/users/..%2Ftokens%3Fx%3D1%23y')
  })

  it('says of every refusal what a user can read, and of fields which ones', async () => {
    for (const [status, error, key] of [
      [412, 'alterado por outra pessoa', 'stale'],
      [403, 'nao permitido', 'not_allowed'],
      [404, 'nao encontrado', 'not_found'],
      [429, 'muitas tentativas', 'too_many'],
      [418, 'outra coisa', 'fault'],
    ] as const) {
      begin(() => ({ status, body: { error } }))
      await assert.rejects(provider.getOne('users', { id: 'u1' }), { message: `refusal.${key}`, status, error: error })
    }
    begin(() => ({ status: 400, body: { error: 'Payload invalido', fields: { name: 'too_small', slug: 'who knows' } } }))
    await assert.rejects(provider.create('plans', { data: {} }), (fault) => {
      assert.ok(fault instanceof AdminFault)
      assert.deepEqual(fault.body.errors, { name: 'field.too_small', slug: 'field.invalid' })
      return true
    })
    begin(() => ({ status: 409, body: { error: 'conflito', reason: 'last_owner' } }))
    await assert.rejects(provider.delete('users', { id: 'u1' }), { message: 'refusal.conflict', reason: 'last_owner' })
  })

  it('says that the service did not answer, and that an answer was none', async () => {
    const away = createDataProvider(
      createCallAdmin({ fetch: () => Promise.reject(new TypeError('fetch failed')), reauthentication: { ask: async () => 'cancelled' } }),
    )
    await assert.rejects(away.getOne('users', { id: 'u1' }), { message: 'refusal.unreachable', status: 0 })
    const garbled = createDataProvider(
      createCallAdmin({ fetch: async () => new Response('<html>proxy</html>'), reauthentication: { ask: async () => 'cancelled' } }),
    )
    await assert.rejects(garbled.getOne('users', { id: 'u1' }), { message: 'refusal.fault' })
  })
})

async function readAsked(request: IncomingMessage): Promise<Asked> {
  const body = await text(request)
  return {
    method: request.method,
    url: request.url ?? '',
    ifMatch: request.headers['if-match'],
    body: body === '' ? undefined : JSON.parse(body),
  }
}

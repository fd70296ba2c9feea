import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Answer } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { NOBODY, readOperations } from '../../support/routes/admin-operations.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { adminOf, scriptOf } from '../../support/users/admins.ts'

const operations = readOperations(NOBODY)
const lists = operations.filter(({ method, parameters }) => method === 'GET' && parameters.length > 0)
const writes = operations.filter(({ method }) => method !== 'GET')

/** As they stand in an address: what a name, a number, a time or an id is not, and what one database keeps and the other does not. */
const ODD = [
  ...['', '%00', '%ED%A0%80', '%F0%9F%98%80', "'%22%5C%25", '-1', '1e9', 'NaN', '%D9%A3', '99999999999999999999999'],
  ...['__proto__', 'constructor', '..%2F..', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ...[NOBODY.toUpperCase(), 'x'.repeat(5_000), 'a%20'.repeat(50), '%EF%B7%BA'.repeat(30)],
]

const VALUES: readonly unknown[] = [
  ...[null, true, -1, 1.5, 9_007_199_254_740_992, 'a\0b', 'x\ud83e', '\u0007', 'constructor', 'x'.repeat(20_000)],
  ...['0001-01-01T00:00:00Z', NOBODY, 'http://[', [null], [[]], {}, [{ uri: '\0', trusted: 'x' }]],
]

eachDatabase('Odd input to the admin API', (database) => {
  const service = startForSuite(database)

  it('in a query gets a page, or a word for what is wrong with it, and never a fault', async () => {
    const admin = await scriptOf(service(), 'owner')
    for (const { path, parameters, operationId } of lists)
      for (const parameter of [...parameters, '__proto__', 'constructor'])
        await eachAtOnce(service(), ODD, async (odd) => {
          assertAnswered(await admin.get(`${path}?${parameter}=${odd}`), [200, 400, 404], `${operationId} ${parameter}=${odd}`)
        })
    assert.doesNotMatch(service().log(), /"fault"/)
  })

  it('in a path finds nothing', async () => {
    const admin = await scriptOf(service(), 'owner')
    const odd = ODD.filter((text) => text !== '')
    for (const { method, path, operationId } of readOperations('NAMED').filter((one) => one.path.includes('NAMED')))
      await eachAtOnce(service(), odd, async (name) => {
        const named = path.replaceAll('NAMED', () => name)
        const answer = method === 'GET' ? await admin.get(named) : await admin.send(method, named, { reason: 'x' }, { version: 'seen' })
        assertAnswered(answer, [400, 403, 404, 405, 414], `${operationId} ${name}`)
      })
    assert.doesNotMatch(service().log(), /"fault"/)
  })

  it('in a body gets a word for what is wrong with it, and never a fault', async () => {
    const { id } = await service().user('corpo@example.com')
    const { product } = await service().product({ slug: 'corpo' })
    const owner = await adminOf(service(), 'dona@example.com', 'owner')
    const headers = { origin: service().url, 'content-type': 'application/json', 'if-match': '"seen"' }
    // The first body that is right ends the session that asks, so it comes last.
    const isLast = ({ operationId }: { operationId: string }) => operationId === 'revokeAllSessions'
    for (const write of [...writes.filter((one) => !isLast(one)), ...writes.filter(isLast)]) {
      const { method, path, fields, operationId } = write
      const named = path.replaceAll(NOBODY, path.startsWith('/users') ? id : product.id)
      for (const field of [...fields, '__proto__'])
        await eachAtOnce(service(), VALUES, async (value) => {
          const body = `{${JSON.stringify(field)}:${JSON.stringify(value)}}`
          const answer = await owner.browser.request(method, `/api/admin${named}`, { headers, body })
          const statuses = [200, 201, 400, 404, 409, 412, 429, ...(isLast(write) ? [401] : [])]
          assertAnswered(answer, statuses, `${operationId} ${body}`)
        })
    }
    assert.doesNotMatch(service().log(), /"fault"/)
  })
})

function assertAnswered(answer: Answer, statuses: readonly number[], asked: string): void {
  assert.ok(statuses.includes(answer.status), `${asked.slice(0, 120)}: ${answer.status} ${answer.text.slice(0, 200)}`)
  assert.equal(answer.headers.get('cache-control'), 'no-store', asked.slice(0, 120))
  if (answer.status >= 400) assert.equal(typeof answer.json().error, 'string')
}

async function eachAtOnce<T>({ context }: TestService, values: readonly T[], ask: (value: T) => Promise<void>): Promise<void> {
  await context.storage.db.deleteFrom('rate_limits').execute()
  await Promise.all(values.map(ask))
}

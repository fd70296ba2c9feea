import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { writeSettingsSchema } from '../src/admin/index.ts'
import { EVENT_TYPES } from '../src/app-events/index.ts'
import { EVENT_CATALOGUE, eventBodySchema } from '../src/event-delivery/index.ts'
import type { Answer, ApiDescription } from '../src/http/docs/api-description.ts'
import { describeApi } from './support/routes/describe-api.ts'
import { describeOperationNames } from './support/routes/operation-names.ts'
import { startForSuite } from './support/service.ts'

const written = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
const description: ApiDescription = JSON.parse(written)
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
)

/** The contract's error table, as far as its endpoints exist, and those of the decisions. */
const messages = {
  'get /auth/login 400': [
    'redirect_uri nao autorizado',
    'redirect_to ausente',
    'redirect_to nao autorizado',
    'parametros invalidos',
    'state invalido',
    'api_key invalida',
  ],
  'post /login 401': ['credenciais invalidas'],
  'post /login 429': ['muitas tentativas'],
  'post /complete-profile 400': ['Nao foi possivel usar este numero'],
  'post /auth/verify 400': ['token ausente'],
  'post /auth/verify 401': ['invalid_api_key', 'invalid_token'],
  'post /auth/verify 413': ['Payload muito grande'],
  'post /auth/token 400': ['invalid_request', 'unsupported_grant_type', 'invalid_grant'],
  'post /auth/token 401': ['invalid_client'],
  'get /api/me 401': ['Token ausente', 'Token invalido ou expirado'],
  'get /api/me 404': ['Usuario nao encontrado'],
  'get /api/me 500': ['internal_error'],
}

describe('The API description', () => {
  it('is what the routes say: after a change of theirs, npm run openapi writes it anew', async () => {
    assert.equal(written, await describeApi())
  })

  it('has each operation of the admin API, by the names that the service knows before it reads them', async () => {
    const names = readFileSync(new URL('../src/admin/serve/operation-names.ts', import.meta.url), 'utf8')
    assert.equal(names, await describeOperationNames(), 'npm run openapi writes them anew')
  })

  it('names each operation once and says what it is and answers', () => {
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
    for (const { name, operationId, summary, tags, responses } of operations) {
      assert.match(operationId ?? '', /^[a-z]\w+$/, name)
      assert.ok(summary, name)
      assert.ok(tags?.length === 1 && description.tags.some((tag) => tag.name === tags[0]), name)
      assert.ok(Object.keys(responses).length > 0, name)
    }
  })

  it('gives every refusal and every fault as {error}, with its messages', () => {
    for (const { name, responses } of operations) {
      for (const [status, answer] of Object.entries(responses)) {
        if (!/^[45]/.test(status) || name === 'get /readyz') continue
        assert.notDeepEqual(errorsOf(answer), [], `${name} ${status}`)
      }
    }
  })

  it('holds every error message of the contract as an example', () => {
    for (const [place, expected] of Object.entries(messages)) {
      const [method = '', path = '', status = ''] = place.split(' ')
      const answer = description.paths[path]?.[method]?.responses[status]
      assert.ok(answer, place)
      const described = errorsOf(answer)
      for (const message of expected) assert.ok(described.includes(message), `${place}: ${message}`)
    }
  })
})

describe('The catalogue of events', () => {
  it('is in the description as webhooks, each with an example that has its form', () => {
    assert.deepEqual(Object.keys(description.webhooks).sort(), [...EVENT_TYPES].sort())
    for (const type of EVENT_TYPES) {
      const { example } = EVENT_CATALOGUE[type]
      const event = { type, timestamp: '2026-11-23T12:00:00.000Z', data: EVENT_CATALOGUE[type].data.strict().parse(example) }
      assert.deepEqual(eventBodySchema(type).parse(event), event)
    }
  })

  it('is the table of docs/events.md', () => {
    const table = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8').matchAll(/^\| `(\w+\.\w+)` \| (.+) \|$/gm)
    const rows = [...table].map(([, type = '', when = '']) => [type, when])
    assert.deepEqual(
      rows,
      EVENT_TYPES.map((type) => [type, EVENT_CATALOGUE[type].when]),
    )
  })
})

describe('The API description of a running service', () => {
  const inMemory = async () => ({ url: 'sqlite::memory:' })
  const service = startForSuite({ name: 'sqlite', fresh: inMemory, empty: inMemory })

  it('is served as written, and not again to whoever has it', async () => {
    const first = await fetch(`${service().url}/openapi.json`)
    assert.equal(first.status, 200)
    assert.equal(first.headers.get('cache-control'), 'public, max-age=300')
    assert.equal(await first.text(), written)
    const second = await fetch(`${service().url}/openapi.json`, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    assert.equal(second.status, 304)
    assert.equal(await second.text(), '')
  })

  it('has the form of a file of settings beside it, as the code reads them', async () => {
    const form = writeSettingsSchema()
    assert.equal(readFileSync(new URL('../../docs/settings.schema.json', import.meta.url), 'utf8'), form, 'npm run openapi')
    assert.equal(await (await fetch(`${service().url}/settings.schema.json`)).text(), form)
    assert.deepEqual(Object.keys(JSON.parse(form).properties), [
      'portaria',
      'managed_by',
      'appearance',
      'reports',
      'products',
      'plans',
      'identity_providers',
      'endpoints',
    ])
  })

  for (const language of ['pt-BR', 'en', 'es']) {
    it(`can be read as a page in ${language}: every operation, every message, no script`, async () => {
      const page = await service().browser().get('/docs', { 'accept-language': language })
      assert.equal(page.status, 200)
      assert.match(page.text, new RegExp(`<html lang="${language}">`))
      assert.doesNotMatch(page.text, /<script|<style| style=| on\w+=/)
      for (const { operationId, summary } of operations) {
        assert.ok(page.text.includes(`id="${operationId}"`), operationId)
        assert.ok(page.text.includes(`href="#${operationId}"`), operationId)
        assert.ok(page.text.includes(summary.replaceAll("'", '&#39;')), summary)
      }
      for (const message of Object.values(messages).flat()) assert.ok(page.text.includes(message), message)
      const styles = /<link rel="stylesheet" href="(\/docs\.css[^"]*)"/.exec(page.text)?.[1]
      assert.equal(
        (
          await service()
            .browser()
            .get(styles ?? '/none')
        ).headers.get('content-type'),
        'text/css; charset=utf-8',
      )
    })
  }
})

function errorsOf({ content = {} }: Answer): string[] {
  return Object.values(content['application/json']?.examples ?? {}).flatMap(({ value }) =>
    typeof value === 'object' && value !== null && 'error' in value ? [String(value.error)] : [],
  )
}

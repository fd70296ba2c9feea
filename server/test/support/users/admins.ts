import assert from 'node:assert/strict'
import { type AdminScope, createAdminToken, findUser, type Role, setUser } from '../../../src/admin/index.ts'
import { listAudit } from '../../../src/audit/index.ts'
import type { Answer, Browser } from '../browser.ts'
import { PASSWORD, type TestService } from '../service.ts'

/** A caller of the admin API: an administrator's browser, or a script with a token. */
export interface Admin {
  id: string
  get(path: string): Promise<Answer>
  /** `version` becomes If-Match; `headers` stand above what the console sends. */
  send(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    options?: { version?: string; headers?: Record<string, string> },
  ): Promise<Answer>
}

/** A user with a role, signed in to Portaria itself, whose browser asks as the console does. */
export async function adminOf(service: TestService, email: string, role: Role): Promise<Admin & { browser: Browser }> {
  const { id } = await service.user(email)
  await giveRole(service, email, role)
  const browser = service.browser()
  assert.equal((await browser.signIn('/login', { email, password: PASSWORD })).status, 302)
  const own = { origin: service.url, 'sec-fetch-site': 'same-origin' }
  return {
    ...asking((method, path, init) => browser.request(method, path, { ...init, headers: { ...own, ...init.headers } })),
    id,
    browser,
  }
}

/** A script with a token of its own, `key`. */
export async function scriptOf(service: TestService, role: Role, scopes: readonly AdminScope[] = []): Promise<Admin & { key: string }> {
  const made = await createAdminToken(
    { name: 'a script', role, scopes, expiresDays: undefined },
    { ...service.context, actor: 'operator:test' },
  )
  if ('refusal' in made) return assert.fail(made.refusal)
  const browser = service.browser()
  const authorization = `Bearer ${made.key}`
  const ask: Ask = (method, path, init) => browser.request(method, path, { ...init, headers: { authorization, ...init.headers } })
  return { ...asking(ask), id: made.token.id, key: made.key }
}

export async function giveRole({ context }: TestService, email: string, role: Role | null): Promise<void> {
  const user = (await findUser(context.storage.db, email)) ?? assert.fail(email)
  const changed = await setUser(user, { role }, { ...context, actor: 'operator:test' })
  assert.ok(!('refusal' in changed))
}

type Ask = (method: string, path: string, init: { headers: Record<string, string>; body?: string }) => Promise<Answer>

function asking(ask: Ask): Omit<Admin, 'id'> {
  return {
    get: (path) => ask('GET', `/api/admin${path}`, { headers: {} }),
    send: (method, path, body, { version, headers = {} } = {}) =>
      ask(method, `/api/admin${path}`, {
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(version !== undefined && { 'if-match': `"${version}"` }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  }
}

/** The same, and each answer's text is kept: what must never be in one can be looked for in all of them. */
export function withResponses<A extends Admin>(admin: A, said: string[]): A {
  const keep = (answer: Answer) => {
    said.push(answer.text)
    return answer
  }
  return {
    ...admin,
    get: async (path) => keep(await admin.get(path)),
    send: async (...sent) => keep(await admin.send(...sent)),
  }
}

/** The newest audit entry of an action. */
export async function lastAudit({ context }: TestService, action: string) {
  const entry = (await listAudit(context.storage.db, { limit: 1, action }))[0]
  return entry ?? assert.fail(`no audit entry of ${action}`)
}

/** The version that an answer's ETag names. */
export function versionOf(answer: Answer): string {
  return /^"(.+)"$/.exec(answer.headers.get('etag') ?? '')?.[1] ?? assert.fail('the answer has no ETag')
}

/** Every element of a list, page by page. */
export async function listAll(admin: Admin, path: string, limit = 2): Promise<Array<Record<string, unknown>>> {
  const all: Array<Record<string, unknown>> = []
  let cursor: string | null = null
  do {
    const joiner = path.includes('?') ? '&' : '?'
    const answer: Answer = await admin.get(
      `${path}${joiner}limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    assert.equal(answer.status, 200, answer.text)
    const page: { data: Array<Record<string, unknown>>; next_cursor: string | null } = answer.json()
    assert.ok(page.data.length <= limit)
    all.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return all
}

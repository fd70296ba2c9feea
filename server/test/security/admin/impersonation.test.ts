import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { disableUser, findUser, revokeUserSessions } from '../../../src/admin/index.ts'
import { listAudit } from '../../../src/audit/index.ts'
import { endPasskeySessions, sessionStore } from '../../../src/sessions/index.ts'
import { mayWhileImpersonating } from '../../../src/sign-in/impersonation/impersonation-rules.ts'
import { Browser } from '../../support/browser.ts'
import { eachDatabase, oneDatabase } from '../../support/databases.ts'
import { cheapPasswords, startForSuite, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { adminOf, giveRole } from '../../support/users/admins.ts'
import { impersonateUser, stopImpersonation, WHY } from '../../support/users/impersonation.ts'
import {
  assertOwnRedirect,
  assertPage,
  assertRefused,
  check,
  EXTERNAL,
  INTERNAL,
  INVALID,
  isLive,
  loginAddress,
  pass,
  sessionOf,
  signedIn,
} from '../../support/users/sign-in-steps.ts'

const IMPERSONATING = 'agindo em nome de outra pessoa'
const PROPAGATION_MS = 2_000

/** Operations for servers and machines, which send no cookies. Other tests cover what they do with an impersonation. */
const NOT_BY_COOKIE =
  /^(\/auth\/(check|verify|token|forward)|\/openid\/(token|userinfo|introspect|revoke|par)|\/api\/(me|saas|products|plans|webhook|webhooks)(\/.*)?|\/\.well-known\/.*|\/healthz|\/readyz|\/metrics)$/

/** All that is open during an impersonation. A route of tomorrow is not in the list. */
const OPEN = new Set([
  ...['/', '/account', '/account/sessions', '/account/purchases', '/account/consents', '/account/providers'].map((path) => `get ${path}`),
  ...['/auth/login', '/auth/forward/start', '/auth/continue', '/login', '/second-factor', '/auth/provider/{id}', '/auth/callback'].map(
    (path) => `get ${path}`,
  ),
  ...[
    '/admin/sign-in',
    '/admin/authenticate',
    '/docs',
    '/docs/{page}',
    '/docs/{folder}/{page}',
    '/llms.txt',
    '/openapi.json',
    '/settings.schema.json',
    '/auth/signout',
  ].map((path) => `get ${path}`),
  ...['/login', '/second-factor', '/passkeys/sign-in', '/passkeys/sign-in/options', '/auth/signout', '/auth/impersonation/stop'].map(
    (path) => `post ${path}`,
  ),
])

async function everyOperation(): Promise<Array<{ name: string; method: string; path: string }>> {
  const text = await readFile(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8')
  const { paths }: { paths: Record<string, Record<string, unknown>> } = JSON.parse(text)
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => ({ name: `${method} ${path}`, method: method.toUpperCase(), path })),
  )
}

/** Everything that is kept of a user and that an impersonation could change. */
async function keptOf({ context }: TestService, userId: string): Promise<string> {
  const { db } = context.storage
  const of = async (table: 'users_company' | 'beta_users' | 'consents' | 'totp_factors' | 'recovery_codes' | 'passkeys' | 'identities') =>
    db.selectFrom(table).selectAll().where('user_id', '=', userId).execute()
  const sessions = await db.selectFrom('sessions').select(['id', 'ended_at', 'authenticated_at']).where('user_id', '=', userId).execute()
  const tickets = await db.selectFrom('tickets').selectAll().where('user_id', '=', userId).execute()
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).execute()
  const leaving = await db.selectFrom('deletion_requests').selectAll().where('user_id', '=', userId).execute()
  const tables = ['users_company', 'beta_users', 'consents', 'totp_factors', 'recovery_codes', 'passkeys', 'identities'] as const
  return JSON.stringify([user, sessions, tickets, leaving, ...(await Promise.all(tables.map(of)))])
}

oneDatabase('Whoever acts for a user, and tries more', (database) => {
  const service = startForSuite(database)
  const own = () => ({ origin: service().url, 'sec-fetch-site': 'same-origin' })

  it('is refused every operation there is but those that only show, go on, sign in or stop; and changes nothing of the user', async () => {
    const { browser, user } = await impersonateUser(service(), 'tudo')
    await signedIn(service(), user.email)
    const before = await keptOf(service(), user.id)
    const operations = (await everyOperation()).filter(({ path }) => !NOT_BY_COOKIE.test(path))
    assert.ok(operations.length > 120, String(operations.length))
    let refused = 0
    for (const { name, method, path } of operations) {
      if (OPEN.has(name)) continue
      const at = path.replaceAll(/\{[^}]+\}/g, user.id)
      const body = method === 'GET' ? {} : { body: '{"reason":"tentativa","password":"girassol azul no telhado"}' }
      const headers = { ...own(), accept: 'application/json', 'content-type': 'application/json', 'if-match': '"x"' }
      const answer = await browser.request(method, at, { headers, ...body })
      assert.deepEqual([answer.status, answer.text], [403, JSON.stringify({ error: IMPERSONATING })], name)
      refused++
    }
    assert.ok(refused > 100, String(refused))
    for (const name of OPEN)
      assert.ok(
        operations.some((one) => one.name === name),
        `${name} is no operation any more`,
      )
    assert.equal(await keptOf(service(), user.id), before)
    assert.equal(await isLive(service(), sessionOf(browser)), true)
  })

  it('is shown it on a page with the way out', async () => {
    const { browser } = await impersonateUser(service(), 'pagina')
    for (const page of [
      '/account/password',
      '/account/delete',
      '/account/language',
      '/complete-profile',
      '/sign-up',
      '/admin',
      '/admin/users',
    ]) {
      const answer = await browser.get(page)
      assertPage(answer, 403)
      assert.match(answer.text, /Isto não se faz em nome de outra pessoa/)
      assert.match(answer.text, /action="\/auth\/impersonation\/stop"/)
    }
  })

  it('gets no further by another spelling, method or header', async () => {
    const { browser, user } = await impersonateUser(service(), 'grafia')
    for (const path of ['/account/%70assword', '/account/password?lang=en', '/account/delete#x', '/admin/users/', '/api/admin/%6de'])
      assert.equal((await browser.get(path)).status, 403, path)
    for (const path of ['/ACCOUNT/password', '//account/password', '/account//password', '/account/password/'])
      assert.notEqual((await browser.get(path)).status, 200, path)
    assert.equal((await browser.request('HEAD', '/account/password')).status, 403)
    const bearer = { ...own(), authorization: 'Bearer adm_x' }
    assert.equal((await browser.request('GET', '/api/admin/me', { headers: bearer })).status, 403)
    const asForm = await browser.submit('/account/consents/withdraw', { product: user.id })
    assert.equal(asForm.status, 403)
  })

  it('hands nothing to an external app: no token, no consent, whether the user agreed before or not', async () => {
    const shop = await service().product({ slug: 'loja', audience: 'external', uris: [EXTERNAL] })
    const { browser, user } = await impersonateUser(service(), 'externo')
    const agreed = await service().user('concordou@example.com')
    const query = { redirect_to: EXTERNAL, api_key: shop.product.publishableKey }
    const hers = await signedIn(service(), agreed.email)
    await pass(hers, query)
    await stopImpersonation(browser)
    const consents = () => service().context.storage.db.selectFrom('consents').selectAll().execute()
    const before = await consents()
    assert.deepEqual(
      before.map(({ user_id }) => user_id),
      [agreed.id],
    )
    const owner = { send: browser }
    for (const id of [user.id, agreed.id]) {
      const began = await owner.send.request('POST', `/api/admin/users/${id}/impersonate`, {
        headers: { ...own(), 'content-type': 'application/json' },
        body: JSON.stringify({ reason: WHY }),
      })
      assert.equal(began.status, 200, began.text)
      for (const asked of [query, { redirect_to: EXTERNAL }]) {
        const end = await browser.follow(await browser.get(loginAddress(asked)))
        assertPage(end, 403)
        assert.match(end.text, /apps externos não recebem nada/)
        assert.doesNotMatch(end.text, /eg_token/)
      }
      await stopImpersonation(browser)
    }
    assert.deepEqual(await consents(), before)
  })

  it('hands no eg_token to an internal app either, nor goes on with a flow that was begun before', async () => {
    await service().product({ slug: 'com-token', uris: [INTERNAL], handoff: 'eg_token' })
    const { browser, owner, user } = await impersonateUser(service(), 'interno')
    assertPage(await browser.follow(await browser.get(loginAddress({ redirect_to: INTERNAL }))), 403)
    await stopImpersonation(browser)
    const begun = assertOwnRedirect(await browser.get(loginAddress({ redirect_to: INTERNAL })), '/auth/continue')
    await owner.send('POST', `/users/${user.id}/impersonate`, { reason: WHY })
    const asks = await browser.get(begun)
    assertPage(asks, 200)
    const goOn = /href="(\/auth\/continue[^"]+)"/.exec(asks.text)?.[1]?.replaceAll('&#61;', '=').replaceAll('&amp;', '&') ?? assert.fail()
    assertPage(await browser.get(goOn), 403)
  })

  it('never becomes recent: nobody authenticates as somebody else', async () => {
    const { browser, sessionId } = await impersonateUser(service(), 'fresca')
    const store = sessionStore(service().context.storage.db)
    assert.deepEqual(await store.findAuthTimes(sessionId), { authenticatedAt: undefined, secondFactorAt: undefined })
    await store.recordAuthentication(sessionId, service().clock.now, service().clock.now)
    assert.deepEqual(await store.findAuthTimes(sessionId), { authenticatedAt: undefined, secondFactorAt: undefined })
    assert.equal((await browser.get('/admin/authenticated')).status, 403)
    // Nor are they asked to: the form would have them try their own password on somebody else's account.
    const asked = await browser.get(assertOwnRedirect(await browser.get('/admin/authenticate'), '/login'))
    assertPage(asked, 200)
    assert.match(asked.text, /name="email" type="email" value=""/)
  })

  it('acts for nobody else from within, nor as an administrator', async () => {
    const { browser, owner } = await impersonateUser(service(), 'dentro')
    const other = await service().user('mais-um@example.com')
    assertRefused(await owner.send('POST', `/users/${other.id}/impersonate`, { reason: WHY }), 403, IMPERSONATING)
    assertRefused(await owner.get('/users'), 403, IMPERSONATING)
    assert.equal(await isLive(service(), sessionOf(browser)), true)
  })

  it('opens no page of ours with the token alone, nor with the bound cookie of another session', async () => {
    const { browser, ownToken } = await impersonateUser(service(), 'metade')
    const impersonation = sessionOf(browser)
    const bound = browser.cookies.get('portaria') ?? ''
    for (const cookie of [
      `eg_session=${impersonation}`,
      `eg_session=${ownToken}; portaria=${bound}`,
      `eg_session=${impersonation}; eg_session=${ownToken}; portaria=${bound}`,
    ])
      assertOwnRedirect(await service().browser().get('/account', { cookie }), '/login')
  })

  it('can’t stop by another site’s form, and stays who they are', async () => {
    const { browser } = await impersonateUser(service(), 'alheio')
    for (const headers of [
      { origin: 'https://mal.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
    ])
      assert.equal((await browser.submit('/auth/impersonation/stop', {}, headers)).status, 403)
    const bare = await browser.request('POST', '/auth/impersonation/stop', { headers: { accept: 'text/html' } })
    assert.equal(bare.status, 403)
    assert.equal((await browser.get('/auth/impersonation/stop')).status, 405)
    assert.equal(await isLive(service(), sessionOf(browser)), true)
  })

  it('gets nothing back by what was kept aside if it was altered, taken from elsewhere, or is of a session that has ended', async () => {
    const { browser, owner } = await impersonateUser(service(), 'lado')
    const original = browser.cookies.get('portaria_original') ?? assert.fail()
    const flow = new URL((await browser.get('/admin/sign-in')).location ?? '').searchParams.get('flow') ?? ''
    for (const value of [`${original}x`, original.slice(0, -2), flow, '', 'x.y']) {
      const visitor = service().browser()
      visitor.cookies.set('portaria_original', value)
      assertOwnRedirect(await visitor.get('/account'), '/login')
      assertOwnRedirect(await stopImpersonation(visitor), '/admin/sign-in')
      assert.equal(visitor.cookies.has('eg_session'), false)
    }
    await revokeUserSessions((await findUser(service().context.storage.db, owner.id)) ?? assert.fail(), operator(service()))
    assertOwnRedirect(await stopImpersonation(browser), '/admin/sign-in')
    assert.deepEqual(
      ['eg_session', 'portaria', 'portaria_original'].map((name) => browser.cookies.has(name)),
      [false, false, false],
    )
  })
})

const operator = (service: TestService) => ({ ...service.context, actor: 'operator:test' })
const accountOf = async ({ context }: TestService, id: string) => (await findUser(context.storage.db, id)) ?? assert.fail()

interface Who {
  ownerId: string
  ownerEmail: string
  userId: string
  userEmail: string
}

/** Each change that must end an impersonation, by any hand and at any place. */
const ends: Record<string, (node: TestService, who: Who) => Promise<unknown>> = {
  'the owner’s own session ends': async (node, { ownerId }) => {
    const { db } = node.context.storage
    const { id } = await db.selectFrom('sessions').select('id').where('user_id', '=', ownerId).executeTakeFirstOrThrow()
    const other = await adminOf(node, `outra-${id}@example.com`, 'owner')
    assert.equal((await other.send('POST', `/sessions/${id}/end`, {})).status, 200)
  },
  'the owner is signed out everywhere': async (node, { ownerId }) => revokeUserSessions(await accountOf(node, ownerId), operator(node)),
  'the owner loses the role': async (node, { ownerEmail }) => {
    await adminOf(node, `fica-${ownerEmail}`, 'owner')
    await giveRole(node, ownerEmail, null)
  },
  'the owner becomes support': async (node, { ownerEmail }) => {
    await adminOf(node, `fica-${ownerEmail}`, 'owner')
    await giveRole(node, ownerEmail, 'support')
  },
  'the owner is locked out': async (node, { ownerId, ownerEmail }) => {
    await adminOf(node, `fica-${ownerEmail}`, 'owner')
    const done = await disableUser(await accountOf(node, ownerId), undefined, operator(node))
    assert.ok(!('refusal' in done))
  },
  'the passkey that began the owner’s session is removed': async ({ context }, { ownerId: userId }) => {
    await context.storage.db.updateTable('sessions').set({ passkey_id: 'lost' }).where('user_id', '=', userId).execute()
    const which = { userId, passkeyId: 'lost', keep: '' }
    await context.changes.transaction((tx, announce) => endPasskeySessions(tx, which, 'passkey_removed', { announce, now: context.now }))
  },
  'the user is locked out': async (node, { userId }) => disableUser(await accountOf(node, userId), undefined, operator(node)),
  'the user is signed out everywhere': async (node, { userId }) => revokeUserSessions(await accountOf(node, userId), operator(node)),
  'the user is given a role': (node, { userEmail }) => giveRole(node, userEmail, 'viewer'),
  'the user ends all other sessions': async (node, { userEmail }) => {
    const own = await signedIn(node, userEmail)
    assertOwnRedirect(await own.submit('/account/sessions/end-others', {}), '/account/sessions')
  },
}

eachDatabase('Acting ends', (database) => {
  it('within two seconds at every node, whatever takes away its ground', async () => {
    const nodes = database.name === 'postgres' ? 2 : 1
    for (const [what, end] of Object.entries(ends)) {
      const { url } = await database.fresh()
      const environment = { PORTARIA_URL: 'http://sso.exemplo.test' }
      const start = () => startService({ url }, { environment, passwords: cheapPasswords })
      const [a = assert.fail(), b = a] = await Promise.all(Array.from({ length: nodes }, start))
      const { owner, user, browser } = await impersonateUser(a, 'fim')
      const token = sessionOf(browser)
      // Both nodes remember it.
      assert.deepEqual(await Promise.all([a, b].map((node) => ask(node, token))), [true, true])
      await end(a, { ownerId: owner.id, ownerEmail: 'dona-fim@example.com', userId: user.id, userEmail: user.email })
      for (const node of [a, b]) {
        await until(async () => !(await ask(node, token)), PROPAGATION_MS).catch(() => assert.fail(`still acting after: ${what}`))
      }
    }
  })
})

eachDatabase('Acting that has ended', (database) => {
  const service = startForSuite(database)

  it('does not come back with the role that it ended with, of either, and its end is in the audit log at once', async () => {
    await adminOf(service(), 'fica@example.com', 'owner')
    const changes = { owner: ['support', 'owner'], user: ['viewer', null] } as const
    for (const who of ['owner', 'user'] as const) {
      const { browser, owner, user, sessionId } = await impersonateUser(service(), `volta-${who}`)
      const token = sessionOf(browser)
      const email = who === 'owner' ? `dona-volta-${who}@example.com` : user.email
      for (const role of changes[who]) {
        await giveRole(service(), email, role)
        assert.equal(await isLive(service(), token), false, `${who} ${role}`)
      }
      assertRefused(await owner.get('/me'), 401, 'nao autenticado')
      const [ended] = await listAudit(service().context.storage.db, { limit: 9, action: 'user.impersonation_ended', target: user.id })
      assert.deepEqual([ended?.actor, ended?.after, ended?.reason], [`user:${owner.id}`, { session: sessionId }, 'operator'])
    }
  })
})

/** The nodes listen elsewhere than at the address they are known by. */
async function ask(node: TestService, token: string): Promise<boolean> {
  const answer = await node.browser().request('GET', '/auth/check', { headers: { cookie: `eg_session=${token}` } })
  return JSON.stringify(answer.json()) !== JSON.stringify(INVALID)
}

eachDatabase('Of two who begin at once', (database) => {
  it('one administrator acts for one user at a time, whichever browser asks', async () => {
    const service = await startService(await database.fresh(), { passwords: cheapPasswords })
    const owner = await adminOf(service, 'dona@example.com', 'owner')
    const users = await Promise.all(['um', 'dois', 'tres', 'quatro'].map((name) => service.user(`${name}@example.com`)))
    const answers = await Promise.all(
      users.map(({ id }) =>
        new Browser(service.url, { origin: service.url, headers: {} }).request('POST', `/api/admin/users/${id}/impersonate`, {
          headers: {
            cookie: [...owner.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            origin: service.url,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ reason: WHY }),
        }),
      ),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const { db } = service.context.storage
    const live = await db
      .selectFrom('sessions')
      .select('id')
      .where('impersonator_id', '=', owner.id)
      .where('ended_at', 'is', null)
      .execute()
    assert.equal(live.length, 1)
    const tokens = answers.map(({ headers }) => /eg_session=([^;]+)/.exec(headers.getSetCookie().join('\n'))?.[1] ?? assert.fail())
    const checked = await Promise.all(tokens.map((token) => check(service, `eg_session=${token}`)))
    assert.equal(checked.filter((one) => JSON.stringify(one) !== JSON.stringify(INVALID)).length, 1)
    const ended = await listAudit(db, { limit: 9, action: 'user.impersonation_ended' })
    assert.deepEqual(
      ended.map(({ reason }) => reason),
      ['replaced', 'replaced', 'replaced'],
    )
  })

  it('and signing out, giving a role or locking out at the same moment: nothing is left that acts', async () => {
    for (const meanwhile of ['sign_out', 'role', 'lock'] as const) {
      const service = await startService(await database.fresh(), { passwords: cheapPasswords })
      await adminOf(service, 'fica@example.com', 'owner')
      const owner = await adminOf(service, 'dona@example.com', 'owner')
      const { id, email } = await service.user('bia@example.com')
      const cookie = [...owner.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const user = await accountOf(service, id)
      const [began] = await Promise.all([
        owner.send('POST', `/users/${id}/impersonate`, { reason: WHY }),
        meanwhile === 'sign_out'
          ? service.browser().get('/auth/signout', { cookie })
          : meanwhile === 'role'
            ? giveRole(service, email, 'viewer')
            : disableUser(user, undefined, operator(service)),
      ])
      const token = /eg_session=([^;]+)/.exec(began.headers.getSetCookie().join('\n'))?.[1]
      if (token !== undefined) assert.deepEqual(await check(service, `eg_session=${token}`), INVALID, meanwhile)
      else assert.notEqual(began.status, 200)
    }
  })
})

describe('What is open while acting', () => {
  it('is a list: a route that is not on it is refused, and so is every method that changes things', () => {
    assert.equal(mayWhileImpersonating('GET', '/account'), true)
    assert.equal(mayWhileImpersonating('HEAD', '/account'), true)
    for (const [method, route] of [
      ['POST', '/account'],
      ['GET', '/made-tomorrow'],
      ['PUT', '/login'],
      ['DELETE', '/account'],
      ['GET', undefined],
    ] as const)
      assert.equal(mayWhileImpersonating(method, route), false)
  })
})

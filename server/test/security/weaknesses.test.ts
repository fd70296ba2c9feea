import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addProvider } from '../../src/identity-providers/index.ts'
import { limitStore } from '../../src/rate-limits/index.ts'
import { revokeSigningKey, rotateSigningKey, signingKeyStore } from '../../src/sessions/index.ts'
import { hiddenFlow } from '../support/browser.ts'
import { eachDatabase } from '../support/databases.ts'
import { openForm } from '../support/routes/raw-requests.ts'
import { cheapPasswords, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { adminOf } from '../support/users/admins.ts'
import { userOf } from '../support/users/mailed-service.ts'
import { startProvider } from '../support/users/openid-provider.ts'
import { assertRefused, sessionOf, signedIn } from '../support/users/sign-in-steps.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

eachDatabase('Small weaknesses', (database) => {
  const begin = async () =>
    startService(await database.fresh(), {
      environment: { PORTARIA_TRUST_PROXY: '1' },
      passwords: cheapPasswords,
      clock: { now: Date.now() },
    })

  const limitKeys = async ({ context }: TestService) =>
    (await context.storage.db.selectFrom('rate_limits').select('key').execute()).map(({ key }) => key)

  it('W5: a network begins three hundred round trips with a provider in 15 minutes, and leaves no row for more', async () => {
    const service = await begin()
    const provider = await startProvider(`${service.url}/auth/callback`)
    const { issuer, clientId, clientSecret } = provider
    const input = { id: 'um', name: 'Provedor', issuer, clientId, clientSecret, authoritativeFor: [], accessTokenAudience: undefined }
    assert.ok(!('refusal' in (await addProvider(input, { ...service.context, actor: 'operator:test' }))))
    const browser = service.browser()
    const flow = hiddenFlow((await browser.get('/login')).text)
    const go = async (from: string) =>
      (await browser.get(`/auth/provider/um?flow=${encodeURIComponent(flow)}`, { 'x-forwarded-for': from })).status
    assert.equal(await go('2001:db8:1:2::1'), 302)
    await service.context.storage.db.updateTable('rate_limits').set({ count: 299 }).where('key', 'like', 'provider:network:%').execute()
    assert.deepEqual([await go('2001:db8:1:2::2'), await go('2001:db8:1:2::3'), await go('2001:db8:1:2:ffff::4')], [302, 429, 429])
    assert.equal(await go('2001:db8:1:3::1'), 302)
    assert.equal((await service.context.storage.db.selectFrom('idp_attempts').select('state_hash').execute()).length, 3)
  })

  it('W6: sign-ins that the network’s limit refuses leave no row', async () => {
    const service = await begin()
    const form = await openForm(service)
    const from = '203.0.113.9'
    assert.equal((await form.attempt({ email: 'a@exemplo.com.br', password: 'x', from })).status, 401)
    await service.context.storage.db.updateTable('rate_limits').set({ count: 100 }).where('key', 'like', 'sign-in:network:%').execute()
    const before = await limitKeys(service)
    for (let n = 0; n < 5; n++) assert.equal((await form.attempt({ email: `fresh-${n}@exemplo.com.br`, password: 'x', from })).status, 429)
    assert.deepEqual((await limitKeys(service)).sort(), before.sort())
  })

  it('W7: a session after a space in another cookie is none, whether this node remembers it or not', async () => {
    const service = await begin()
    const { email } = await service.user('ana@exemplo.com.br')
    const token = sessionOf(await signedIn(service, email))
    const check = async (cookie: string) => {
      const answer = await fetch(`${service.url}/auth/check`, { headers: { cookie } })
      return ((await answer.json()) as { authenticated: boolean }).authenticated
    }
    const strange = [`a=b eg_session=${token}`, `a eg_session=${token}`, `a=b\teg_session=${token}`, `a=; b eg_session=${token}`]
    for (const cookie of strange) assert.equal(await check(cookie), false, 'not remembered')
    for (const cookie of [`eg_session=${token}`, `a=b; eg_session=${token}`, `a=b;eg_session=${token}`, `a=b;  eg_session=${token}; c=d`])
      assert.equal(await check(cookie), true, cookie.replace(token, '…'))
    for (const cookie of strange) assert.equal(await check(cookie), false, 'remembered')
  })

  it('W8: a viewer orders users by no hidden address, and administrators not at all', async () => {
    const service = await begin()
    const [viewer, support] = [
      await adminOf(service, 'le@exemplo.com.br', 'viewer'),
      await adminOf(service, 'ajuda@exemplo.com.br', 'support'),
    ]
    for (const sort of ['email', '-email']) {
      assertRefused(await viewer.get(`/users?sort=${sort}`), 400, 'Payload invalido', { fields: { sort: 'hidden' } })
      assert.equal((await support.get(`/users?sort=${sort}`)).status, 200)
      assert.equal((await viewer.get(`/administrators?sort=${sort}`)).status, 403)
    }
    assert.equal((await viewer.get('/users?sort=-created_at')).status, 200)
  })

  it('W9: a limit’s window that a clock opened a day ahead is over; one of a node a little ahead is not', async () => {
    const { context, clock } = await begin()
    const limits = limitStore(context.storage.db)
    for (const [way, aheadMs, within] of [
      ['count', DAY_MS, true],
      ['count', MINUTE_MS, false],
      ['countAll', DAY_MS, true],
      ['countAll', MINUTE_MS, false],
    ] as const) {
      const key = `${way} ${aheadMs} ms ahead`
      const count = (now: number) => {
        const limit = { key, most: 1, windowMs: 15 * MINUTE_MS }
        return way === 'count' ? limits.count(limit, now) : limits.countAll([limit], now)
      }
      assert.equal((await count(clock.now + aheadMs)).within, true)
      const again = await count(clock.now)
      assert.equal(again.within, within, key)
      assert.ok(again.retryAfterSeconds <= 16 * 60)
      assert.equal((await count(clock.now)).within, false)
    }
  })

  it('W10: when the key that signs is revoked a fresh one signs, and not the one before it', async () => {
    const service = await begin()
    const deps = { ...service.context, actor: 'operator:test' } as const
    const kids = async () => (await signingKeyStore(service.context.storage.db).list()).map(({ kid }) => kid)
    const old = await kids()
    service.clock.now += MINUTE_MS
    const signing = await rotateSigningKey({ at: 'once' }, deps)
    service.clock.now += MINUTE_MS
    assert.equal(await revokeSigningKey(signing.kid, deps), 'revoked')
    const fresh = (await kids()).filter((kid) => !old.includes(kid) && kid !== signing.kid)
    assert.equal(fresh.length, 1)
    await service.user('ana@exemplo.com.br')
    await until(async () => {
      const token = sessionOf(await signedIn(service, 'ana@exemplo.com.br'))
      return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid === fresh[0]
    }, 10_000)
    assert.equal(await revokeSigningKey(old[0] ?? '', deps), 'revoked')
    assert.equal((await kids()).length, 3, 'a key that does not sign is replaced by none')
  })

  it('W14: HEAD signs nobody out and begins no round trip', async () => {
    const service = await begin()
    const { id, email } = await service.user('ana@exemplo.com.br')
    const browser = await signedIn(service, email)
    const token = sessionOf(browser)
    await browser.request('HEAD', '/auth/signout')
    assert.equal(browser.cookies.get('eg_session'), token)
    assert.equal(await userOf(service, token), id)
    for (const path of ['/auth/callback?state=x', '/auth/provider/um']) assert.equal((await browser.request('HEAD', path)).status, 405)
    assert.equal((await browser.get('/auth/signout')).status, 200)
    assert.equal(await userOf(service, token), undefined)
  })

  it('W16: equal cookies are one, however many there are', async () => {
    const service = await begin()
    const { id, email } = await service.user('ana@exemplo.com.br')
    const token = sessionOf(await signedIn(service, email))
    const ask = async (cookie: string) =>
      (await (await fetch(`${service.url}/auth/check`, { headers: { cookie } })).json()) as { session?: { sub: string } }
    assert.equal((await ask(Array.from({ length: 5 }, () => `eg_session=${token}`).join('; '))).session?.sub, id)
    assert.equal((await ask(Array.from({ length: 5 }, (_, n) => `eg_session=${token}${n}`).join('; '))).session, undefined)
  })

  it('L11: a token request with an empty list of scopes is refused, and one without a list gets what its role may do', async () => {
    const service = await begin()
    const owner = await adminOf(service, 'dona@exemplo.com.br', 'owner')
    const refused = await owner.send('POST', '/tokens', { name: 'x', role: 'owner', scopes: [] })
    assertRefused(refused, 400, 'Payload invalido', { fields: { scopes: 'too_small' } })
    assert.deepEqual(await service.context.storage.db.selectFrom('admin_tokens').select('id').execute(), [])
    for (const body of [{ role: 'viewer' }, { role: 'viewer', scopes: ['users:read'] }])
      assert.equal(Math.floor((await owner.send('POST', '/tokens', { name: 'x', ...body })).status / 100), 2)
  })
})

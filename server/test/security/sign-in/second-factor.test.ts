import assert from 'node:assert/strict'
import { it } from 'node:test'
import { disableUser, findUser, setUserPassword } from '../../../src/admin/index.ts'
import { type Answer, type Browser, hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { holdNextAnswer, recordQueries } from '../../support/routes/asked-queries.ts'
import { mint, openForm } from '../../support/routes/raw-requests.ts'
import { cheapPasswords, PASSWORD, startService, type TestService } from '../../support/service.ts'
import { type Authenticator, giveSecondFactor, openSecondStep, typeCode, wrongCode } from '../../support/users/authenticator.ts'
import { ANA, NEW, times } from '../../support/users/mailed-service.ts'

const DAY_MS = 24 * 60 * 60_000
const HOME = '203.0.113.1'

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status)
const isIn = (browser: Browser) => browser.cookies.has('eg_session')

eachDatabase('What stands behind the password', (database) => {
  async function begin(environment: Record<string, string> = {}) {
    const where = await database.fresh()
    const clock = { now: Date.now() }
    const start = () => startService(where, { environment, passwords: cheapPasswords, clock })
    const service = await start()
    const ana = await service.user(ANA)
    const app = await giveSecondFactor(service, ana)
    return { service, ana, app, clock, start }
  }

  /** A browser that has shown the password, and the flow in which it is asked for a code. */
  async function atSecondStep(service: TestService, { from = HOME, cookies = new Map<string, string>() } = {}) {
    const browser = service.browser({ 'x-forwarded-for': from })
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    const flow = await openSecondStep(browser, await browser.signIn('/login', { email: ANA, password: PASSWORD }))
    return { browser, type: (code: string) => browser.submit('/second-factor', { flow, code }), flow }
  }

  it('26 (a code used again): in turn, in another browser too, a code works once', async () => {
    const { service, app } = await begin()
    const [first, second] = [await atSecondStep(service), await atSecondStep(service)]
    assert.equal((await first.type(app.code())).status, 302)
    assert.equal((await first.type(app.code())).status, 401)
    assert.equal((await second.type(app.code())).status, 401)
    assert.ok(!isIn(second.browser))
    assert.equal((await second.type(app.code(30))).status, 302)
  })

  it('26: nor does a code of an earlier step than one that was used, though its time has not passed', async () => {
    const { service, app } = await begin()
    const { type } = await atSecondStep(service)
    assert.equal((await type(app.code())).status, 302)
    assert.equal((await type(app.code(-30))).status, 401)
  })

  it('26: nor does the very code that turned it on', async () => {
    const { service, app, clock } = await begin()
    clock.now -= 120_000
    assert.equal((await (await atSecondStep(service)).type(app.code())).status, 401)
  })

  for (const [what, pick] of [
    ['a code', ({ code }: Authenticator) => code()],
    ['a recovery code', ({ recoveryCodes: [code = ''] }: Authenticator) => code],
  ] as const) {
    it(`26: of eight browsers on two nodes that race with ${what}, one gets in`, async () => {
      const { service, app, start } = await begin()
      const nodes = [service, await start()]
      const racers = await Promise.all(times(8).map((n) => atSecondStep(nodes[n % 2] ?? service)))
      const statuses = statusesOf(await Promise.all(racers.map(({ type }) => type(pick(app))))).sort()
      assert.deepEqual(statuses, [302, ...times(7).map(() => 401)])
      assert.equal(racers.filter(({ browser }) => isIn(browser)).length, 1)
    })
  }

  it('a code is good for its own 30 seconds and those beside them, and not a second longer', async () => {
    const { service, app, clock } = await begin()
    const start = Math.floor(clock.now / 30_000) * 30_000
    const code = app.code()
    for (const [at, status] of [
      [start - 30_001, 401],
      [start + 60_000, 401],
      [start - 30_000, 302],
    ] as const) {
      clock.now = at
      assert.equal((await (await atSecondStep(service)).type(code)).status, status, String(at - start))
    }
    const next = app.code(90)
    clock.now += 90_000 + 59_999
    assert.equal((await (await atSecondStep(service)).type(next)).status, 302)
  })

  it('what is no code of anybody is refused: empty, too long, signs, digits of other scripts', async () => {
    const { service, app } = await begin()
    const { type } = await atSecondStep(service)
    const strange = ['', ' ', '0', `${app.code()}0`, `-${app.code()}`, '１２３４５６', '1e5000', "' or 1=1 --", '\0'.repeat(16)]
    for (const code of strange) assert.equal((await type(code)).status, 401, code)
    assert.equal((await type(app.code())).status, 302)
  })

  it('27 (a lock that miscounts): nine wrong codes leave the right one good, ten do not, nor the right password', async () => {
    const { service, app } = await begin()
    const nine = await atSecondStep(service)
    const wrong = wrongCode(app)
    for (const _ of times(9)) assert.equal((await nine.type(wrong)).status, 401)
    assert.equal((await nine.type(app.code())).status, 302)
    const one = await nine.type(wrong)
    assert.equal(one.status, 401)
    const refused = await nine.type(app.code(30))
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await (await openForm(service)).attempt({ email: ANA })).status, 429)
    service.clock.now += 15 * 60_000
    assert.equal((await (await atSecondStep(service)).type(app.code())).status, 302)
  })

  it('27: ten wrong codes at once count as ten, and fifty try no more than ten', async () => {
    const { service, app } = await begin()
    const { type } = await atSecondStep(service)
    const wrong = wrongCode(app)
    const statuses = statusesOf(await Promise.all(times(50).map(() => type(wrong))))
    assert.equal(statuses.filter((status) => status === 401).length, 10)
    assert.equal(statuses.filter((status) => status === 429).length, 40)
  })

  it('28 (a side entrance without the lock): wrong passwords, codes and recovery codes share their counters', async () => {
    const { service, app } = await begin()
    const { type } = await atSecondStep(service)
    const form = await openForm(service)
    for (const _ of times(4)) assert.equal((await form.attempt({ email: ANA, password: 'wrong' })).status, 401)
    for (const _ of times(3)) assert.equal((await type(wrongCode(app))).status, 401)
    for (const _ of times(3)) assert.equal((await type('2222-2222-2222-2222')).status, 401)
    assert.equal((await type(app.code())).status, 429)
    assert.equal((await type(app.recoveryCodes[0] ?? '')).status, 429)
    assert.equal((await form.attempt({ email: ANA })).status, 429)
  })

  it('28: a password that is right gives no wrong code back', async () => {
    const { service, app } = await begin()
    for (const _ of times(10)) assert.equal((await (await atSecondStep(service)).type(wrongCode(app))).status, 401)
    assert.equal((await (await openForm(service)).attempt({ email: ANA })).status, 429)
  })

  it('27: who knows the password tries thirty codes a day from anywhere; the owner’s own browser goes on', async () => {
    const { service, app, clock } = await begin({ PORTARIA_TRUST_PROXY: '1' })
    const own = await atSecondStep(service)
    assert.equal((await own.type(app.code())).status, 302)
    const device = new Map([['portaria_device', own.browser.cookies.get('portaria_device') ?? '']])
    for (const n of times(30)) {
      const { type } = await atSecondStep(service, { from: `198.51.100.${n}` })
      assert.equal((await type(wrongCode(app))).status, 401, `the ${n + 1}th wrong code`)
      clock.now += 60_000
    }
    const stranger = await atSecondStep(service, { from: '198.51.100.77' })
    assert.equal((await stranger.type(app.code())).status, 429)
    assert.equal((await (await atSecondStep(service, { cookies: device })).type(app.code())).status, 302)
    clock.now += DAY_MS
    assert.equal((await (await atSecondStep(service, { from: '198.51.100.77' })).type(app.code())).status, 302)
  })

  it('10 (a header that skips a policy): the step is asked and its failures count, whatever X-Forwarded-For says', async () => {
    const { service, app } = await begin()
    for (const n of times(10)) {
      const { type } = await atSecondStep(service, { from: n % 2 ? 'a' : times(50).join(',') })
      assert.equal((await type(wrongCode(app))).status, 401)
    }
    assert.equal((await (await openForm(service)).attempt({ email: ANA, from: 'b' })).status, 429)
  })

  it('14 (session fixation): what was planted before is replaced, and worth nothing after the second step', async () => {
    const { service, app, ana } = await begin()
    const caio = await service.user('caio@exemplo.com.br')
    const planted = service.browser()
    await planted.signIn('/login', { email: caio.email, password: PASSWORD })
    const victim = service.browser()
    for (const [name, value] of planted.cookies) victim.cookies.set(name, value)
    const page = await victim.get('/auth/signout').then(() => victim.get('/login'))
    for (const name of ['eg_session', 'portaria']) victim.cookies.set(name, planted.cookies.get(name) ?? '')
    const first = await victim.submit('/login', { flow: hiddenFlow(page.text), email: ANA, password: PASSWORD })
    assert.equal((await typeCode(victim, first, app.code())).status, 302)
    for (const name of ['eg_session', 'portaria']) assert.notEqual(victim.cookies.get(name), planted.cookies.get(name))
    assert.equal((await planted.get('/account')).location?.pathname, '/login')
    const live = await service.context.storage.db.selectFrom('sessions').select('user_id').where('ended_at', 'is', null).execute()
    assert.deepEqual(
      live.map(({ user_id }) => user_id),
      [ana.id],
    )
  })

  for (const [what, change] of [
    [
      'a password that was changed',
      async (service: TestService) => {
        const user = await findUser(service.context.storage.db, ANA)
        assert.ok(user && !('refusal' in (await setUserPassword(user, NEW, { ...service.context, actor: 'operator:test' }))))
      },
    ],
    [
      'an account that was disabled',
      async (service: TestService) => {
        const user = await findUser(service.context.storage.db, ANA)
        assert.ok(user && !('refusal' in (await disableUser(user, 'test', { ...service.context, actor: 'operator:test' }))))
      },
    ],
  ] as const) {
    it(`opens nothing for ${what} between the two steps, and uses no code up`, async () => {
      const { service, app } = await begin()
      const { type, browser } = await atSecondStep(service)
      await change(service)
      assert.equal((await type(app.code())).status, 400)
      assert.ok(!isIn(browser))
      const { last_step } = await service.context.storage.db.selectFrom('totp_factors').select('last_step').executeTakeFirstOrThrow()
      assert.ok(Number(last_step) < Math.floor(service.clock.now / 30_000))
    })

    it(`opens nothing for ${what} while the code is being checked`, async () => {
      const { service, app } = await begin()
      const { type, browser } = await atSecondStep(service)
      const held = holdNextAnswer(service, /^update "totp_factors" set "last_step"/)
      const typing = type(app.code())
      await held.asked
      await change(service)
      held.goOn()
      assert.equal((await typing).status, 400)
      assert.ok(!isIn(browser))
      assert.equal((await service.context.storage.db.selectFrom('sessions').select('id').execute()).length, 0)
    })
  }

  it('12 (a proof of another): a step begun in one browser is finished in no other, and with no altered flow', async () => {
    const { service, app } = await begin()
    const { flow, type } = await atSecondStep(service)
    const stranger = service.browser()
    await stranger.get('/login')
    const middle = Math.floor(flow.length / 2)
    const altered = `${flow.slice(0, middle)}${flow[middle] === 'A' ? 'B' : 'A'}${flow.slice(middle + 1)}`
    for (const [who, what] of [
      [stranger, flow],
      [service.browser(), flow],
      [stranger, altered],
    ] as const)
      assert.equal((await who.submit('/second-factor', { flow: what, code: app.code() })).status, 400)
    const plain = hiddenFlow((await stranger.get('/login')).text)
    assert.equal((await stranger.submit('/second-factor', { flow: plain, code: app.code() })).status, 400)
    assert.equal((await stranger.get(`/second-factor?flow=${encodeURIComponent(plain)}`)).status, 400)
    assert.ok(!isIn(stranger))
    assert.equal((await type(app.code())).status, 302)
  })

  it('15 (a form of another site): a code posted from elsewhere is refused and not used up', async () => {
    const { service, app } = await begin()
    const { browser, flow, type } = await atSecondStep(service)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await browser.submit('/second-factor', { flow, code: app.code() }, foreign)).status, 403)
    assert.equal((await type(app.code())).status, 302)
  })

  it('is asked within the flow’s half hour, and not after', async () => {
    const { service, app, clock } = await begin()
    const { type } = await atSecondStep(service)
    clock.now += 30 * 60_000
    assert.equal((await type(app.code())).status, 400)
  })

  it('29 (who has an account shows): a wrong password is answered, and costs, the same with and without one', async () => {
    const { service } = await begin()
    await service.user('bia@exemplo.com.br')
    const asked = recordQueries(service)
    const look = async (email: string) => {
      const form = await openForm(service)
      asked.length = 0
      const { status, text } = await form.attempt({ email, password: 'wrong' })
      const neutral = text
        .replaceAll(email, '…')
        .replace(/flow(&#61;|=)[^"&]+/g, 'flow')
        .replace(/value="[^"]+"/g, '')
      return { status, text: neutral, sql: [...asked] }
    }
    const unknown = await look('ninguem@exemplo.com.br')
    assert.equal(unknown.status, 401)
    assert.ok(!unknown.sql.some((sql) => sql.includes('totp_factors')))
    assert.deepEqual(await look(ANA), unknown)
    assert.deepEqual(await look('bia@exemplo.com.br'), unknown)
  })

  it('11 (an account made in advance): who verifies an address that nobody had verified is asked for no code of a stranger', async () => {
    const { service, ana } = await begin()
    await service.context.storage.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', ana.id).execute()
    const { secret } = await mint(service, { purpose: 'reset_password', userId: ana.id, email: ANA })
    const owner = service.browser()
    assert.notEqual((await owner.submit('/reset-password', { ticket: secret, password: NEW })).location?.pathname, '/second-factor')
    assert.ok(isIn(owner))
    for (const table of ['totp_factors', 'recovery_codes'] as const)
      assert.deepEqual(await service.context.storage.db.selectFrom(table).select('user_id').execute(), [])
  })

  it('keeps secret and recovery codes out of the database in clear, and out of the log', async () => {
    const { service, app } = await begin()
    await (await atSecondStep(service)).type(app.recoveryCodes[0] ?? '')
    const { db } = service.context.storage
    const rows = JSON.stringify([
      await db.selectFrom('totp_factors').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
    ])
    for (const secret of [app.secret, ...app.recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])]) {
      assert.ok(!rows.includes(secret))
      assert.ok(!service.log().includes(secret))
    }
  })
})

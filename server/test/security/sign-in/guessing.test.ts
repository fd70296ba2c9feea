import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { disableUser, findUser } from '../../../src/admin/index.ts'
import { type Answer, hiddenFlow } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { countQueries } from '../../support/routes/asked-queries.ts'
import { countedPasswords, cpf, openForm } from '../../support/routes/raw-requests.ts'
import { PASSWORD, startForSuite, startService } from '../../support/service.ts'
import { INTERNAL, loginAddress, signedIn } from '../../support/users/sign-in-steps.ts'

const EMAIL = 'ana@exemplo.com.br'
const WINDOW_MS = 15 * 60_000

const times = (n: number) => Array.from({ length: n }, (_, i) => i)
const address = (i: number) => `203.0.${113 + Math.floor(i / 200)}.${(i % 200) + 1}`

function assertLocked(answer: Answer): void {
  assert.equal(answer.status, 429)
  const wait = Number(answer.headers.get('retry-after'))
  assert.ok(Number.isInteger(wait) && wait > 0 && wait <= WINDOW_MS / 1000, String(wait))
  assert.deepEqual(
    answer.headers.getSetCookie().filter((line) => /^(eg_session|portaria)=/.test(line)),
    [],
  )
}

oneDatabase('Guessing passwords', (database) => {
  const start = async (environment: Record<string, string> = { PORTARIA_TRUST_PROXY: '1' }) => {
    const clock = { now: Date.now() }
    const passwords = countedPasswords()
    const service = await startService(await database.fresh(), { environment, clock, passwords })
    await service.user(EMAIL)
    return { service, clock, passwords, form: await openForm(service) }
  }
  const wrong = (from: string, email = EMAIL) => ({ email, password: 'wrong', from })

  it('27 (a count that is off by one): is locked by the tenth failure and not by the ninth, for 15 minutes, then not at all', async () => {
    const { clock, form } = await start()
    for (const _ of times(9)) assert.equal((await form.attempt(wrong('192.0.2.1'))).status, 401)
    assert.equal((await form.attempt({ email: EMAIL, from: '192.0.2.1' })).status, 302, 'nine failures lock nobody')
    assert.equal((await form.attempt(wrong('192.0.2.1'))).status, 401, 'a success is no failure and forgives none')
    for (const _ of times(5)) assertLocked(await form.attempt({ email: EMAIL, from: '192.0.2.1' }))
    assert.equal((await form.attempt({ email: EMAIL, from: '192.0.2.2' })).status, 302, 'another address is not locked')
    clock.now += WINDOW_MS - 1
    assertLocked(await form.attempt({ email: EMAIL, from: '192.0.2.1' }))
    clock.now += 1
    assert.equal((await form.attempt({ email: EMAIL, from: '192.0.2.1' })).status, 302)
  })

  it('27: from one address is locked for all accounts by the hundredth failure', async () => {
    const { form } = await start()
    for (const i of times(100)) assert.equal((await form.attempt(wrong('192.0.2.1', `nobody-${i}@exemplo.com.br`))).status, 401)
    assertLocked(await form.attempt({ email: EMAIL, from: '192.0.2.1' }))
    assert.equal((await form.attempt({ email: EMAIL, from: '192.0.2.2' })).status, 302)
  })

  it('27 (lock-out as an attack): from many addresses locks strangers, but not the browser the user has signed in with before', async () => {
    const { service, form } = await start()
    const own = service.browser({ 'x-forwarded-for': '198.51.100.7' })
    const flow = hiddenFlow((await own.get('/login')).text)
    assert.equal((await own.submit('/login', { flow, email: EMAIL, password: PASSWORD })).status, 302)
    for (const i of times(100)) await form.attempt(wrong(address(Math.floor(i / 10))))
    assertLocked(await form.attempt({ email: EMAIL, from: '198.51.100.8' }))
    const device = own.cookies.get('portaria_device') ?? assert.fail()
    const trusted = await openForm(service, new Map([['portaria_device', device]]))
    assert.equal((await trusted.attempt({ email: EMAIL, from: '198.51.100.8' })).status, 302)
    for (const forged of [
      `${device}x`,
      `x${device}`,
      device.split('.')[0] ?? '',
      `${device.split('.')[0]}.`,
      `.${device.split('.')[1]}`,
      '.',
      'x.y',
    ]) {
      const stranger = await openForm(service, new Map([['portaria_device', forged]]))
      assertLocked(await stranger.attempt({ email: EMAIL, from: '198.51.100.9' }))
    }
  })

  it("27: gives another account's device cookie, or one device's own failures, no way around the locks", async () => {
    const { service, form } = await start()
    await service.user('eva@exemplo.com.br')
    const eva = await signedIn(service, 'eva@exemplo.com.br')
    for (const i of times(100)) await form.attempt(wrong(address(Math.floor(i / 10))))
    const evas = await openForm(service, new Map([['portaria_device', eva.cookies.get('portaria_device') ?? '']]))
    assertLocked(await evas.attempt({ email: EMAIL, from: '198.51.100.9' }))
    for (const i of times(10)) assert.equal((await evas.attempt({ ...wrong(address(50 + i)), email: 'eva@exemplo.com.br' })).status, 401)
    assertLocked(await evas.attempt({ email: 'eva@exemplo.com.br', from: address(70) }))
  })

  it('27: from a single address locks the account nowhere else, however long it goes on', async () => {
    const { form, passwords } = await start()
    const before = passwords.verified()
    for (const _ of times(130)) await form.attempt(wrong('192.0.2.1'))
    assert.equal(passwords.verified() - before, 10)
    assert.equal((await form.attempt({ email: EMAIL, from: '192.0.2.2' })).status, 302)
  })

  it('28 (a side door without the lock): counts one account under every spelling of its address, form, language and app', async () => {
    const { service, form, passwords } = await start()
    await service.product({ slug: 'painel', uris: [INTERNAL] })
    const before = passwords.verified()
    const spellings = [
      EMAIL,
      EMAIL.toUpperCase(),
      ` ${EMAIL}\t`,
      'Ana@Exemplo.com.br',
      'ａｎａ@exemplo.com.br',
      'ana@EXEMPLO.COM.BR',
      'ana@exemplo。com。br',
      'ana＠exemplo.com.br',
    ]
    for (const email of spellings) assert.equal((await form.attempt(wrong('192.0.2.1', email))).status, 401, email)
    for (const query of [{ redirect_to: INTERNAL }, { redirect_to: INTERNAL, prompt: 'login' }]) {
      const browser = service.browser({ 'x-forwarded-for': '192.0.2.1', 'accept-language': 'es' })
      assert.equal((await browser.signIn(loginAddress(query), { email: EMAIL, password: 'wrong' })).status, 401)
    }
    assert.equal(passwords.verified() - before, 10)
    for (const email of spellings) assertLocked(await form.attempt({ email, from: '192.0.2.1' }))
    for (const accept of ['application/json', '*/*', 'text/html'])
      assertLocked(await form.attempt({ email: EMAIL, from: '192.0.2.1', headers: { accept } }))
  })

  const forged = [
    'a',
    '',
    ',',
    ' ',
    '127.0.0.1',
    '::1',
    '999.1.1.1',
    'unknown',
    '_hidden',
    '1.2.3.4:80',
    '[::1]:80',
    'fe80::1%eth0',
    '\u00e9',
    '-1',
    times(50).map(address).join(', '),
  ]
  it('10 (a bad X-Forwarded-For skips a policy): is counted by the connection where no proxy is trusted, whatever the headers say', async () => {
    const { form } = await start({})
    const headers = forged.flatMap((value) => [
      { 'x-forwarded-for': value },
      { forwarded: `for="${value}"`, 'x-real-ip': value, 'cf-connecting-ip': value, 'true-client-ip': value, 'x-client-ip': value },
    ])
    for (const set of headers.slice(0, 10))
      assert.equal((await form.attempt({ email: EMAIL, password: 'wrong', headers: latin(set) })).status, 401)
    for (const set of headers) assertLocked(await form.attempt({ email: EMAIL, headers: latin(set) }))
  })

  it('10: is counted by what the trusted proxy saw, the rightmost address, whatever a client wrote before it', async () => {
    const { form } = await start()
    for (const i of times(10)) {
      const from = `${latin({ value: forged[i] ?? '' }).value}, ${address(i)}, 192.0.2.1`
      assert.equal((await form.attempt(wrong(from))).status, 401, from)
    }
    for (const value of [
      ...forged.map((text) => `${latin({ value: text }).value}, 192.0.2.1`),
      '192.0.2.1',
      '::ffff:192.0.2.1',
      ' 192.0.2.1 ',
    ]) {
      assertLocked(await form.attempt({ email: EMAIL, from: value }))
    }
    assert.equal((await form.attempt({ email: EMAIL, from: '192.0.2.1, 192.0.2.9' })).status, 302)
  })

  it('10: over IPv6 is counted by the /64 that one customer holds', async () => {
    const { form } = await start()
    for (const i of times(10)) assert.equal((await form.attempt(wrong(`2001:db8:0:1:${i + 1}::${i}`))).status, 401)
    for (const from of ['2001:db8:0:1::ffff', '2001:DB8:0:1:ffff:ffff:ffff:ffff', '2001:db8::1:0:0:0:1'])
      assertLocked(await form.attempt({ email: EMAIL, from }))
    assert.equal((await form.attempt({ email: EMAIL, from: '2001:db8:0:2::1' })).status, 302)
  })

  it('29 (enumeration): is answered alike, with the same work, for an account that is, is not, is disabled, or has no password', async () => {
    const { service, form, passwords } = await start()
    const off = await service.user('off@exemplo.com.br')
    await disableUser((await findUser(service.context.storage.db, off.email)) ?? assert.fail(), 'test', {
      ...service.context,
      actor: 'operator:test',
    })
    const bare = await service.user('bare@exemplo.com.br')
    await service.context.storage.db.updateTable('users').set({ password_hash: null }).where('id', '=', bare.id).execute()
    const queries = countQueries(service)
    const users = [
      EMAIL,
      'off@exemplo.com.br',
      'bare@exemplo.com.br',
      'nobody@exemplo.com.br',
      'ana@exemplo.com.brr',
      'no-address',
      `${'x'.repeat(300)}@x.br`,
    ]
    for (const accept of ['text/html', 'application/json']) {
      const seen = new Set<string>()
      for (const [i, email] of users.entries()) {
        const before = { hashes: passwords.verified(), queries: queries() }
        const answer = await form.attempt({ ...wrong(address(i)), email, headers: { accept } })
        const work = { hashes: passwords.verified() - before.hashes, queries: queries() - before.queries }
        assert.deepEqual(work.hashes, 1, email)
        assert.ok(work.queries >= 3, 'the counter counts')
        seen.add(
          JSON.stringify({
            ...work,
            status: answer.status,
            text: anonymous(answer.text, email),
            headers: headerNames(answer),
            cookies: answer.headers.getSetCookie().length,
          }),
        )
      }
      assert.equal(seen.size, 1, [...seen].join('\n'))
    }
  })

  it('29: is answered alike when locked as well', async () => {
    const { form, passwords } = await start()
    const seen = new Set<string>()
    for (const [i, email] of [EMAIL, 'nobody@exemplo.com.br'].entries()) {
      for (const _ of times(10)) await form.attempt({ ...wrong(address(i)), email })
      const before = passwords.verified()
      const answer = await form.attempt({ ...wrong(address(i)), email })
      assertLocked(answer)
      seen.add(
        JSON.stringify({
          hashes: passwords.verified() - before,
          text: anonymous(answer.text, email),
          wait: answer.headers.get('retry-after'),
        }),
      )
    }
    assert.equal(seen.size, 1, [...seen].join('\n'))
  })
})

/** Header values travel as bytes. */
function latin<T extends Record<string, string>>(headers: T): T {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, '?')])) as T
}

/** A page without what differs by nature: the flow, and the address that was typed. */
function anonymous(text: string, email: string): string {
  return text.replace(/[0-9a-f]{8}\.[\w-]{40,}/g, 'FLOW').replaceAll(email, 'EMAIL')
}

function headerNames({ headers }: Answer): string[] {
  return [...headers.keys()].sort()
}

oneDatabase('Guessing tax ids', (database) => {
  const suite = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  before(async () => {
    await suite().product({ slug: 'painel', uris: [INTERNAL] })
  })

  it('29: is possible three times a day for an account, ten for an address, and says no more of a number than that', async () => {
    const service = suite()
    const fields = (n: number) => ({ full_name: 'Zé', tax_id: cpf(n), phone: '11 98765-4321' })
    const open = async (email: string) => {
      await service.user(email, { profile: 'missing' })
      const browser = service.browser({ 'x-forwarded-for': '192.0.2.50' })
      const answer = await browser.signIn(loginAddress({ redirect_uri: INTERNAL }), { email, password: PASSWORD })
      const flow = hiddenFlow((await browser.get(answer.location?.href ?? assert.fail())).text)
      return (n: number) => browser.submit('/complete-profile', { flow, ...fields(n) }, { accept: 'application/json' })
    }
    const owner = await open('owner@exemplo.com.br')
    assert.equal((await owner(1)).status, 302)
    let unusable = 0
    for (const i of times(4)) {
      const guess = await open(`guess-${i}@exemplo.com.br`)
      for (const _ of times(5)) {
        const { fields: errors } = (await guess(1)).json<{ fields: { tax_id: string } }>()
        assert.ok(errors.tax_id === 'unusable' || errors.tax_id === 'too_many_tries')
        if (errors.tax_id === 'unusable') unusable += 1
      }
    }
    assert.equal(unusable, 9, "ten numbers for an address, the owner's own among them")
  })
})

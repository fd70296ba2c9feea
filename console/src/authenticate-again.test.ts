import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type AdminRequest, createCallAdmin } from './api/admin-http.ts'
import { createReauthentication } from './api/reauthentication.ts'
import { createSession, type Me } from './session.ts'

const request: AdminRequest = { path: 'users/u1/disable', method: 'POST', body: { reason: 'lost phone' }, ifMatch: '"v1"' }
const refusals = {
  sign_in: [401, 'nao autenticado'],
  second_factor: [403, 'segundo fator necessario'],
  recent_authentication: [403, 'prova recente necessaria'],
} as const

describe('A request that the service wants a recent authentication for', () => {
  for (const [need, [status, error]] of Object.entries(refusals)) {
    it(`waits and is sent again as it was (${need})`, async () => {
      const reauthentication = createReauthentication({ isSameUser: async () => true })
      const { fetch, sent } = serviceThat((i) => (i === 0 ? json(status, { error }) : json(200, { id: 'u1' })))
      const answered = createCallAdmin({ fetch, reauthentication })(request)
      await until(() => reauthentication.question() !== undefined)
      assert.deepEqual(reauthentication.question(), { need })
      assert.equal(sent.length, 1)
      await reauthentication.authenticated()
      assert.deepEqual((await answered).body, { id: 'u1' })
      assert.equal(sent.length, 2)
      assert.deepEqual(sent[1], sent[0])
      assert.equal(reauthentication.question(), undefined)
    })
  }

  it('asks once for all that wait, and all go out again', async () => {
    const reauthentication = createReauthentication({ isSameUser: async () => true })
    const { fetch, sent } = serviceThat((i) => (i < 3 ? json(401, { error: 'nao autenticado' }) : json(200, { i })))
    const call = createCallAdmin({ fetch, reauthentication })
    const all = Promise.all([call(request), call({ path: 'me' }), call({ path: 'users' })])
    await until(() => sent.length === 3)
    await delay(20)
    await reauthentication.authenticated()
    assert.equal((await all).length, 3)
    assert.equal(sent.length, 6)
  })

  it('is refused with the words of the service when the user does not want to', async () => {
    const reauthentication = createReauthentication({ isSameUser: async () => true })
    const { fetch, sent } = serviceThat(() => json(403, { error: 'prova recente necessaria' }))
    const answered = createCallAdmin({ fetch, reauthentication })(request)
    await until(() => reauthentication.question() !== undefined)
    reauthentication.cancel()
    await assert.rejects(answered, { message: 'refusal.recent_authentication', status: 403 })
    assert.equal(sent.length, 1)
  })

  it('asks again when the authentication was not enough', async () => {
    const reauthentication = createReauthentication({ isSameUser: async () => true })
    const { fetch, sent } = serviceThat((i) => (i < 2 ? json(403, { error: 'prova recente necessaria' }) : json(200, {})))
    const answered = createCallAdmin({ fetch, reauthentication })(request)
    for (const times of [1, 2]) {
      await until(() => sent.length === times && reauthentication.question() !== undefined)
      await reauthentication.authenticated()
    }
    await answered
    assert.equal(sent.length, 3)
  })

  it('is not asked about where no authentication would help', async () => {
    for (const [status, error] of [
      [403, 'nao permitido'],
      [403, 'origem nao permitida'],
      [404, 'nao encontrado'],
    ] as const) {
      const reauthentication = createReauthentication({ isSameUser: async () => true })
      await assert.rejects(createCallAdmin({ fetch: serviceThat(() => json(status, { error })).fetch, reauthentication })(request), {
        status,
      })
      assert.equal(reauthentication.question(), undefined)
    }
  })

  it('is not sent when the page it was for is gone by then', async () => {
    const reauthentication = createReauthentication({ isSameUser: async () => true })
    const { fetch, sent } = serviceThat(() => json(401, { error: 'nao autenticado' }))
    const left = new AbortController()
    const answered = createCallAdmin({ fetch, reauthentication })({ path: 'users', signal: left.signal })
    await until(() => reauthentication.question() !== undefined)
    left.abort()
    await reauthentication.authenticated()
    await assert.rejects(answered, { name: 'AbortError' })
    assert.equal(sent.length, 1)
  })
})

describe('The queue where requests wait for authentication', () => {
  it('lets nothing go out as somebody else', async () => {
    let who: boolean | undefined = false
    const reauthentication = createReauthentication({ isSameUser: async () => who })
    const outcome = reauthentication.ask('sign_in')
    await reauthentication.authenticated()
    assert.deepEqual(reauthentication.question(), { need: 'sign_in', problem: 'other_user' })
    who = undefined
    await reauthentication.authenticated()
    assert.deepEqual(reauthentication.question(), { need: 'sign_in', problem: 'not_yet' })
    who = true
    await reauthentication.authenticated()
    assert.equal(await outcome, 'authenticated')
  })

  it('says the gravest of what is missing, to anyone who looks', async () => {
    const reauthentication = createReauthentication({ isSameUser: async () => true })
    let calls = 0
    const leave = reauthentication.subscribe(() => calls++)
    const all = [reauthentication.ask('recent_authentication'), reauthentication.ask('sign_in'), reauthentication.ask('second_factor')]
    assert.deepEqual(reauthentication.question(), { need: 'sign_in' })
    assert.equal(calls, 2)
    reauthentication.cancel()
    assert.deepEqual(await Promise.all(all), ['cancelled', 'cancelled', 'cancelled'])
    leave()
    void reauthentication.ask('sign_in')
    assert.equal(calls, 3)
  })

  it('heeds no notice of a sign-in that nobody waits for', async () => {
    let asked = 0
    const reauthentication = createReauthentication({
      isSameUser: async () => {
        asked += 1
        return true
      },
    })
    await reauthentication.authenticated()
    assert.equal(asked, 0)
  })
})

describe('A session of the console', () => {
  const ana: Me = {
    id: 'u1',
    name: 'Ana',
    email: 'ana@example.com',
    role: 'owner',
    has_second_factor: true,
    time_zone: 'America/Sao_Paulo',
  }

  it('goes on for the same user alone, whoever signed in meanwhile', async () => {
    let there: Me | undefined = ana
    const session = createSession(async (path) => {
      if (path === '/api/admin/me') return there ? json(200, there) : json(401, { error: 'nao autenticado' })
      return there?.id === 'u1' ? json(200, { ok: true }) : json(401, { error: 'nao autenticado' })
    })
    assert.deepEqual(await session.findMe(), ana)
    there = undefined
    const answered = session.call(request)
    await until(() => session.reauthentication.question() !== undefined)
    await session.reauthentication.authenticated()
    assert.equal(session.reauthentication.question()?.problem, 'not_yet')
    there = { ...ana, id: 'u2' }
    await session.reauthentication.authenticated()
    assert.equal(session.reauthentication.question()?.problem, 'other_user')
    there = ana
    await session.reauthentication.authenticated()
    assert.deepEqual((await answered).body, { ok: true })
  })

  it('says with every request whose console it is, and asks without saying it who is there', async () => {
    const { fetch, sent } = serviceThat(() => json(200, ana))
    const session = createSession(fetch)
    await session.findMe()
    await session.call(request)
    await session.findMe()
    const said = sent.map(({ headers }) => new Headers(headers).get('portaria-user'))
    assert.deepEqual(said, [null, 'u1', null])
  })
})

/** A service with numbered answers, and the requests it got. */
function serviceThat(answer: (i: number) => Response) {
  const sent: Array<{ path: unknown; method: string | undefined; body: unknown; headers: HeadersInit | undefined }> = []
  const fetch: typeof globalThis.fetch = async (path, init) => {
    sent.push({ path, method: init?.method, body: init?.body, headers: init?.headers })
    return answer(sent.length - 1)
  }
  return { fetch, sent }
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status })
}

async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  while (!isSo()) {
    if (Date.now() > giveUpAt) throw new Error('it did not come to that')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

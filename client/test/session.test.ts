import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { disableUser, findUser } from '../../server/src/admin/index.ts'
import { revokeSigningKey, rotateSigningKey } from '../../server/src/sessions/index.ts'
import { eachDatabase } from '../../server/test/support/databases.ts'
import type { TestService } from '../../server/test/support/service.ts'
import { until } from '../../server/test/support/until.ts'
import { impersonateUser, stopImpersonation } from '../../server/test/support/users/impersonation.ts'
import { accessToken, decode, parameter } from '../../server/test/support/users/sign-in-steps.ts'
import { watchedCalls } from './calls.ts'
import { type App, fixtureForSuite, reasonOf, signedIn, signIn, through, tokenOf, type user, Visitor } from './fixture.ts'

const MINUTE = 60_000
const CHECK = '/auth/check'

/** Another node, or this one, has learnt of a change. */
async function isPublished(service: TestService, kid: string): Promise<boolean> {
  const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as { keys: Array<{ kid: string }> }
  return keys.some((key) => key.kid === kid)
}

/** A browser at an app that sends exactly these `eg_session` cookies. */
function carrying(app: App, ...tokens: string[]) {
  const headers = new Headers(tokens.length > 0 ? { cookie: tokens.map((token) => `${app.cookieName}=${token}`).join('; ') } : {})
  return reasonOf(app.portaria.session({ headers }))
}

eachDatabase('A session', (database) => {
  const started = fixtureForSuite(database)

  it('is confirmed at its first sight, and then at most once a minute', async () => {
    const fixture = started()
    const calls = watchedCalls()
    for (const app of [fixture.internal({ fetch: calls.fetch }), await fixture.external({ fetch: calls.fetch })]) {
      const someone = await signedIn(fixture, app)
      assert.equal(fixture.proxy.count(CHECK), 1, 'the callback has confirmed it')
      fixture.proxy.asked()
      for (let second = 0; second < 60; second++) {
        assert.equal(await reasonOf(someone.at.session()), someone.id)
        app.clock.now += 999
      }
      assert.deepEqual(fixture.proxy.asked(), [])
      app.clock.now += 61
      for (let time = 0; time < 5; time++) assert.equal(await reasonOf(someone.at.session()), someone.id)
      await calls.areOver()
      assert.deepEqual(fixture.proxy.asked(), [CHECK])
    }
  })

  it('says who acts while an administrator does so in the user’s name, to pages as well', async () => {
    const fixture = started()
    const app = fixture.internal()
    const { owner, user, browser } = await impersonateUser(fixture.service, 'atua')
    const at = new Visitor(app)
    const look = async () => {
      at.domain.set('eg_session', browser.cookies.get('eg_session') ?? assert.fail('no session'))
      const session = await at.session()
      const { text } = await at.open('/api/auth/session', { headers: { accept: 'application/json', 'sec-fetch-dest': 'empty' } })
      assert.deepEqual(JSON.parse(text), session)
      return session.status === 'signed_in' ? [session.user.id, session.user.actorId] : session.reason
    }
    assert.deepEqual(await look(), [user.id, owner.id])
    await stopImpersonation(browser)
    assert.deepEqual(await look(), [owner.id, null])
  })

  it('is confirmed every time, or seldom, where the app wants it so', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal())
    const calls = watchedCalls()
    const always = fixture.internal({ confirmEverySeconds: 0, fetch: calls.fetch })
    fixture.proxy.asked()
    for (let time = 0; time < 4; time++) {
      assert.equal(await carrying(always, tokenOf(someone)), someone.id)
      // A look during a call that takes long makes none of its own.
      await calls.areOver()
    }
    assert.equal(fixture.proxy.count(CHECK), 4)
    const seldom = fixture.internal({ confirmEverySeconds: 600 })
    fixture.proxy.asked()
    for (const minutes of [0, 5, 4.9, 0.2]) {
      seldom.clock.now += minutes * MINUTE
      assert.equal(await carrying(seldom, tokenOf(someone)), someone.id)
    }
    assert.equal(fixture.proxy.count(CHECK), 2)
  })

  it('is asked for once, however many requests want to know at once', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal())
    const calls = watchedCalls()
    const app = fixture.internal({ fetch: calls.fetch })
    for (let round = 0; round < 2; round++) {
      fixture.proxy.asked()
      const found = await Promise.all(Array.from({ length: 50 }, () => carrying(app, tokenOf(someone))))
      assert.deepEqual(new Set(found), new Set([someone.id]))
      await calls.areOver()
      assert.equal(fixture.proxy.count(CHECK), 1)
      app.clock.now += MINUTE
    }
  })

  it('is shown to the browser as JSON that nobody keeps, without its token', async () => {
    const fixture = started()
    const app = fixture.internal()
    const out = await new Visitor(app).open('/api/auth/session')
    assert.deepEqual([out.status, JSON.parse(out.text)], [200, { status: 'signed_out', reason: 'no_session' }])
    const someone = await signedIn(fixture, app)
    const answer = await someone.at.open('/api/auth/session')
    assert.deepEqual(JSON.parse(answer.text), await someone.at.session())
    assert.doesNotMatch(answer.text, /eyJ/)
    assert.deepEqual([answer.headers.get('cache-control'), answer.headers.get('content-type')], ['no-store', 'application/json'])
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  })

  it('that is ended elsewhere is seen to be within the minute; at once where every time is confirmed', async () => {
    const fixture = started()
    for (const end of [
      async (someone: Awaited<ReturnType<typeof user>>) => void (await someone.browser.get('/auth/signout')),
      async ({ id }: { id: string }) => {
        const { context } = fixture.service
        const account = (await findUser(context.storage.db, id)) ?? assert.fail()
        assert.deepEqual(await disableUser(account, undefined, { ...context, actor: 'operator:test' }), { ended: 1 })
      },
    ]) {
      for (const [options, wait] of [
        [{}, 59_999],
        [{ confirmEverySeconds: 5 }, 4_999],
        [{ confirmEverySeconds: 0 }, -1],
      ] as const) {
        const app = fixture.internal(options)
        const someone = await signedIn(fixture, app)
        await end(someone)
        if (wait > 0) {
          app.clock.now += wait
          assert.equal(await reasonOf(someone.at.session()), someone.id)
        }
        app.clock.now += 1
        // By the same clock: a look does not wait for an answer that takes longer than usual, and the next one has it.
        await until(async () => (await reasonOf(someone.at.session())) === 'ended')
      }
    }
  })

  it('that has ended is not asked for again for a minute', async () => {
    const fixture = started()
    const app = fixture.internal()
    const someone = await signedIn(fixture, app)
    await someone.browser.get('/auth/signout')
    app.clock.now += MINUTE
    await until(async () => (await reasonOf(someone.at.session())) === 'ended')
    fixture.proxy.asked()
    app.clock.now += 59_000
    assert.equal(await reasonOf(someone.at.session()), 'ended')
    assert.deepEqual(fixture.proxy.asked(), [])
    app.clock.now += 1_000
    assert.equal(await reasonOf(someone.at.session()), 'ended')
    assert.deepEqual(fixture.proxy.asked(), [CHECK])
  })

  it('has the profile of its token and what is true of the user today', async () => {
    const fixture = started()
    const app = fixture.internal()
    const someone = await signedIn(fixture, app)
    const { changes } = fixture.service.context
    await changes.transaction(async (tx, announce) => {
      await tx.updateTable('users_company').set({ name: 'Ana Nova' }).where('user_id', '=', someone.id).execute()
      announce({ kind: 'user_changed', subject: someone.id })
    })
    app.clock.now += MINUTE
    await until(async () => {
      const session = await someone.at.session()
      return session.status === 'signed_in' && session.user.name === 'Ana Nova'
    })
  })

  it('stays unseen for no longer where the clock is set back', async () => {
    const fixture = started()
    const app = fixture.internal()
    app.clock.now += 60 * MINUTE
    const someone = await signedIn(fixture, app)
    await someone.browser.get('/auth/signout')
    app.clock.now -= 60 * MINUTE
    assert.equal(await reasonOf(someone.at.session()), 'ended')
  })

  it('of nobody is one, whatever the cookie says; and nobody is asked', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal())
    const [head, body, signature] = tokenOf(someone).split('.')
    const app = fixture.internal()
    fixture.proxy.asked()
    for (const [value, reason] of [
      ['', 'no_session'],
      ['x', 'invalid'],
      ['null', 'invalid'],
      ['..', 'invalid'],
      ['x'.repeat(5000), 'invalid'],
      [`${head}.${body}.`, 'invalid'],
      [`${head}.${body}`, 'invalid'],
      [`${head}.${body}.${signature} `.replace(' ', '%20'), 'invalid'],
      [`"${head}.${body}.${signature}"`, 'invalid'],
      [`${head}.${body}.${signature?.slice(0, 40)} ${signature?.slice(40)}`, 'invalid'],
      [`${head}.${body?.slice(0, -1)}.${signature}`, 'invalid'],
    ] as const) {
      assert.equal(await carrying(app, value), reason, value.slice(0, 40))
    }
    assert.equal(await carrying(app), 'no_session')
    assert.ok(!fixture.proxy.asked().includes(CHECK))
  })

  it('is no token of another kind, and none of another product or of the domain', async () => {
    const fixture = started()
    const [inside, shop, other] = [fixture.internal(), await fixture.external(), await fixture.external()]
    const someone = await signedIn(fixture, inside)
    const at = new Visitor(shop)
    const back = await through(someone.browser, (await at.open('/auth/sign-in')).location, someone.email)
    const handoff = parameter(back, 'eg_token')
    await at.open(back)
    const ofShop = at.cookies.get(shop.cookieName) ?? ''
    const ofDomain = tokenOf(someone)
    const access = await accessToken(fixture.service, ofDomain)
    for (const app of [inside, shop, other]) {
      for (const token of [handoff, access]) assert.equal(await carrying(app, token), 'invalid')
    }
    assert.equal(await carrying(inside, ofShop), 'invalid')
    assert.equal(await carrying(shop, ofDomain), 'invalid', 'since it has learned whose sessions are its own')
    assert.equal(await carrying(other, ofDomain), 'ended', 'since Portaria says so')
    assert.equal(await carrying(other, ofShop), 'ended')
    const lenient = await fixture.external()
    const strict = await fixture.external({ productId: lenient.productId })
    fixture.proxy.asked()
    for (const token of [ofShop, ofDomain]) assert.equal(await carrying(strict, token), 'invalid')
    assert.ok(!fixture.proxy.asked().includes(CHECK), 'an app that knows its product asks nobody')
    assert.equal(await carrying(shop, ofShop), someone.id)
    assert.equal(await carrying(inside, ofDomain), someone.id)
  })

  it('of the domain is good for an app of the domain that has an API key, with its product’s id or without', async () => {
    const fixture = started()
    const { apiKey, product } = await fixture.service.product({ slug: `com-chave-${database.name}` })
    const someone = await signedIn(fixture, fixture.internal({ apiKey }))
    assert.equal(await reasonOf(someone.at.session()), someone.id)
    assert.equal(await carrying(fixture.internal({ apiKey, productId: product.id }), tokenOf(someone)), someone.id)
    const shop = await fixture.external()
    assert.equal(await carrying(fixture.internal({ apiKey }), tokenOf(await signedIn(fixture, shop))), 'ended')
  })

  it('of an external app on https can’t be tossed by a sibling of its host: it is in a cookie that only this host can set', async () => {
    const fixture = started()
    const app = await fixture.external()
    const [attacker, victim] = [await signedIn(fixture, app), await signedIn(fixture, app)]
    assert.deepEqual([...victim.at.cookies.keys()].sort(), ['__Host-eg_session', '__Host-portaria_arrived'])
    victim.at.domain.set('eg_session', tokenOf(attacker))
    assert.equal(await reasonOf(victim.at.session()), victim.id)
    const fresh = new Visitor(app)
    fresh.domain.set('eg_session', tokenOf(attacker))
    assert.equal(await reasonOf(fresh.session()), 'no_session')
    const named = await fixture.external({ cookieName: 'eg_session' })
    assert.deepEqual([...(await signedIn(fixture, named)).at.cookies.keys()].sort(), ['__Host-portaria_arrived', 'eg_session'])
  })

  it('that is answered can be changed by nobody for others', async () => {
    const fixture = started()
    const app = fixture.internal()
    const someone = await signedIn(fixture, app)
    const { clock } = app
    const strict = (text: string) => someone.at.request('/', { headers: { cookie: text } })
    const signedInTwice = [await someone.at.session(), await someone.at.session()]
    clock.now += MINUTE
    const of = (cookie: string) => app.portaria.session(strict(cookie))
    const all = [...signedInTwice, await of(''), await of('eg_session=x'), await of(`eg_session=${tokenOf(someone)}; eg_session=y`)]
    fixture.proxy.setMode('is down')
    all.push(await fixture.internal().portaria.session(strict(`eg_session=${tokenOf(someone)}`)))
    assert.deepEqual(all.map((one) => (one.status === 'signed_in' ? one.status : one.reason)).slice(2), [
      'no_session',
      'invalid',
      'signed_in',
      'unconfirmed',
    ])
    for (const session of all) {
      assert.throws(() => Object.assign(session, { status: 'signed_in', user: { id: 'guest' } }), TypeError)
      if (session.status === 'signed_in') assert.throws(() => Object.assign(session.user, { id: 'guest' }), TypeError)
    }
  })

  it('expires at its time, also in memory', async () => {
    const fixture = started()
    const app = fixture.internal()
    const someone = await signedIn(fixture, app)
    // Sent by a browser whose own clock is behind: the cookie goes with the token.
    const token = tokenOf(someone)
    const exp = Number(decode(token).claims.exp) * 1000
    app.clock.now = exp + 59_000
    assert.equal(await carrying(app, token), someone.id, 'a minute is forgiven')
    app.clock.now = exp + 60_000
    for (let time = 0; time < 2; time++) assert.equal(await carrying(app, token), 'expired')
    assert.equal(await carrying(fixture.internal({ now: () => exp + 60_000 }), token), 'expired')
  })
})

eachDatabase('Several eg_session cookies', (database) => {
  const started = fixtureForSuite(database)

  /** Two sessions of two users, and a second token of the first one's. */
  async function tokens(fixture: ReturnType<typeof started>) {
    const app = fixture.internal()
    const [one, other] = [await signedIn(fixture, app), await signedIn(fixture, app)]
    const first = tokenOf(one)
    fixture.service.clock.now += 2_000
    one.at.cookies.clear()
    await signIn(one)
    const newer = tokenOf(one)
    assert.equal(decode(first).claims.sid, decode(newer).claims.sid)
    assert.notEqual(first, newer)
    return { one, other, first, newer, ofOther: tokenOf(other) }
  }

  it('of one session are one, which is confirmed once a minute by its newest token', async () => {
    const fixture = started()
    const { one, first, newer } = await tokens(fixture)
    for (const order of [
      [first, newer],
      [newer, first],
      [first, first, newer, ''],
    ]) {
      const app = fixture.internal()
      fixture.proxy.asked()
      for (let time = 0; time < 3; time++) assert.equal(await carrying(app, ...order), one.id)
      assert.equal(fixture.proxy.count(CHECK), 1)
    }
  })

  it('of two live sessions are nobody’s: a sibling subdomain may have tossed one', async () => {
    const fixture = started()
    const { first, newer, ofOther } = await tokens(fixture)
    for (const order of [
      [first, ofOther],
      [ofOther, first],
      [first, ofOther, newer],
    ]) {
      assert.equal(await carrying(fixture.internal(), ...order), 'conflicting_sessions')
    }
  })

  it('count without those that nobody made for this app, and those that have ended', async () => {
    const fixture = started()
    const { one, other, first, ofOther } = await tokens(fixture)
    await other.browser.get('/auth/signout')
    const shop = await signedIn(fixture, await fixture.external())
    for (const order of [
      ['x', first],
      [first, 'x'],
      [ofOther, first],
      [first, ofOther],
      [tokenOf(shop), 'x', first],
      ['', first],
    ]) {
      assert.equal(await carrying(fixture.internal(), ...order), one.id)
    }
    assert.equal(await carrying(fixture.internal(), ofOther, 'x'), 'ended')
    assert.equal(await carrying(fixture.internal(), 'x', 'y'), 'invalid')
    assert.equal(await carrying(fixture.internal(), '', ''), 'no_session')
  })

  it('more than four are an attack, and cost nothing', async () => {
    const fixture = started()
    const { first } = await tokens(fixture)
    fixture.proxy.asked()
    assert.equal(await carrying(fixture.internal(), first, '1', '2', '3', '4'), 'conflicting_sessions')
    assert.deepEqual(fixture.proxy.asked(), [])
    assert.notEqual(await carrying(fixture.internal(), first, '1', '2', '3'), 'conflicting_sessions')
  })

  it('one live and one that Portaria can’t be asked about: nobody’s, since a tossed one can have been kept confirmed beside the user’s own', async () => {
    const fixture = started()
    const { one, other, first, ofOther } = await tokens(fixture)
    const calls = watchedCalls()
    const app = fixture.internal({ fetch: calls.fetch })
    for (const id of [one.id, other.id]) assert.equal(await carrying(app, id === one.id ? first : ofOther), id)
    app.clock.now += 9 * MINUTE
    assert.equal(await carrying(app, first), one.id)
    await calls.areOver()
    app.clock.now += 2 * MINUTE
    fixture.proxy.setMode('is down')
    assert.equal(await carrying(app, first), one.id)
    await calls.areOver()
    assert.equal(await carrying(app, first, ofOther), 'unconfirmed')
    assert.equal(await carrying(app, ofOther, first), 'unconfirmed')
    assert.equal(await carrying(app, 'x', first), one.id, 'what nobody made is still nothing')
    fixture.proxy.setMode('passes')
    app.clock.now += MINUTE
    await until(async () => (await carrying(app, first, ofOther)) === 'conflicting_sessions')
  })
})

eachDatabase('The signing keys', (database) => {
  const started = fixtureForSuite(database)

  it('are fetched once, and again for a token whose key is new, while the app runs', async () => {
    const fixture = started()
    const { service, proxy } = fixture
    const app = fixture.internal()
    const before = await signedIn(fixture, app)
    await signedIn(fixture, app)
    assert.equal(proxy.count('/.well-known/jwks.json'), 1)
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 6_000 })
    try {
      await rotateSigningKey({ at: 'once' }, { ...service.context, actor: 'operator:test' })
      const after = await signedIn(fixture, app)
      assert.notEqual(decode(tokenOf(before)).header.kid, decode(tokenOf(after)).header.kid)
      assert.equal(proxy.count('/.well-known/jwks.json'), 2)
      assert.equal(await reasonOf(before.at.session()), before.id, 'the last key stays until its last token has expired')
      assert.equal(await carrying(fixture.internal(), tokenOf(before)), before.id)
    } finally {
      mock.timers.reset()
    }
  })

  it('that is revoked ends its tokens within the minute, and at once where they are new', async () => {
    const fixture = started()
    const app = fixture.internal()
    const someone = await signedIn(fixture, app)
    const kid = String(decode(tokenOf(someone)).header.kid)
    assert.equal(await revokeSigningKey(kid, { ...fixture.service.context, actor: 'operator:test' }), 'revoked')
    await until(async () => !(await isPublished(fixture.service, kid)))
    assert.equal(await carrying(fixture.internal(), tokenOf(someone)), 'invalid')
    app.clock.now += MINUTE
    await until(async () => (await reasonOf(someone.at.session())) === 'ended')
  })

  it('that is retired proves nothing any more', async () => {
    const fixture = started()
    const { service } = fixture
    const someone = await signedIn(fixture, fixture.internal())
    const kid = String(decode(tokenOf(someone)).header.kid)
    service.clock.now += 1
    await rotateSigningKey({ at: 'once' }, { ...service.context, actor: 'operator:test' })
    service.clock.now += 31 * 24 * 60 * MINUTE
    await until(async () => !(await isPublished(service, kid)))
    const early = fixture.internal()
    early.clock.now = Number(decode(tokenOf(someone)).claims.iat) * 1000
    assert.equal(await carrying(early, tokenOf(someone)), 'invalid', 'even to an app whose clock lets the token be young')
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listAudit } from '../../src/audit/index.ts'
import { endExpiredImpersonations } from '../../src/sessions/index.ts'
import { eachDatabase, oneDatabase } from '../support/databases.ts'
import { startMailbox } from '../support/mailbox.ts'
import { cheapPasswords, PASSWORD, startForSuite, startService } from '../support/service.ts'
import { adminOf, giveRole, lastAudit, scriptOf } from '../support/users/admins.ts'
import { impersonateUser, stopImpersonation, WHY } from '../support/users/impersonation.ts'
import {
  assertOwnRedirect,
  assertPage,
  assertRefused,
  check,
  decode,
  exchangeOf,
  INTERNAL,
  isLive,
  loginAddress,
  parameter,
  pass,
  post,
  sessionOf,
  setCookies,
  signedIn,
} from '../support/users/sign-in-steps.ts'

const MINUTES = 60_000

oneDatabase('An owner who acts for a user', (database) => {
  const service = startForSuite(database)

  it('gets a session of its own for 15 minutes, which says who acts, in the token and in the check', async () => {
    const before = service().clock.now
    const { owner, user, browser, began, sessionId } = await impersonateUser(service(), 'quinze')
    assert.deepEqual(began.json(), {
      session_id: sessionId,
      user_id: user.id,
      act: { sub: owner.id },
      expires_at: new Date(before + 15 * MINUTES).toISOString(),
    })
    const { claims } = decode(sessionOf(browser))
    assert.deepEqual([claims.sub, claims.sid, claims.act], [user.id, sessionId, { sub: owner.id }])
    assert.equal(claims.exp, Math.floor((before + 15 * MINUTES) / 1000))
    const checked = await check(service(), `eg_session=${sessionOf(browser)}`)
    assert.deepEqual(checked, {
      authenticated: true,
      session: { sub: user.id, email: user.email, name: 'Bia Prado', is_producer: false, is_beta: false, plan_slug: null },
      act: { sub: owner.id },
    })
    assert.deepEqual(await check(service(), `eg_session=${sessionOf(browser)}`), checked)
  })

  it('gets cookies as short as that, the one kept aside for this host alone, and sealed', async () => {
    const { began } = await impersonateUser(service(), 'cookies')
    const cookies = setCookies(began)
    assert.match(cookies.eg_session ?? '', /; Max-Age=900; HttpOnly/)
    assert.match(cookies.portaria ?? '', /; Max-Age=900; HttpOnly/)
    assert.match(cookies.portaria_original ?? '', /^portaria_original=[0-9a-f]{8}\.[\w-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/)
  })

  it('says of no session but an acting one that somebody acts', async () => {
    const { ownToken, user } = await impersonateUser(service(), 'comum')
    const own = await signedIn(service(), user.email)
    for (const token of [ownToken, sessionOf(own)]) {
      assert.equal('act' in decode(token).claims, false)
      assert.equal('act' in ((await check(service(), `eg_session=${token}`)) as object), false)
    }
  })

  it('sees the account under a banner that says who, for whom, until when, in three languages, and nothing to change it by', async () => {
    const { browser, user } = await impersonateUser(service(), 'faixa')
    for (const [language, as, by] of [
      ['pt-BR', 'Você age em nome de Bia Prado', 'Quem age: Ana Flávia Conceição'],
      ['en', 'You are acting as Bia Prado', 'Acting: Ana Flávia Conceição'],
      ['es', 'Actúas en nombre de Bia Prado', 'Quien actúa: Ana Flávia Conceição'],
    ] as const) {
      for (const page of ['/account', '/account/sessions', '/account/purchases', '/account/consents', '/account/providers']) {
        const shown = await browser.get(`${page}?lang=${language}`)
        assertPage(shown, 200)
        const banner = /<section class="impersonation"[\s\S]*?<\/section>/.exec(shown.text)?.[0] ?? assert.fail(page)
        for (const part of [as, by, user.email, 'role="status"', 'action="/auth/impersonation/stop"'])
          assert.ok(banner.includes(part), part)
        assert.match(banner, /\d{1,2}:\d{2}/)
        const forms = [...shown.text.matchAll(/<form[^>]*action="([^"]+)"/g)].map(([, action]) => action)
        assert.deepEqual(forms, ['/auth/impersonation/stop'], page)
      }
    }
    assert.ok(!(await (await signedIn(service(), user.email)).get('/account')).text.includes('class="impersonation"'))
  })

  it('sees the banner at an address that does not exist, too, and nobody else does', async () => {
    const { browser, user } = await impersonateUser(service(), 'perdida')
    const lost = await browser.get('/nowhere')
    assertPage(lost, 404)
    assert.match(lost.text, /<section class="impersonation"[\s\S]*Você age em nome de Bia Prado[\s\S]*action="\/auth\/impersonation\/stop"/)
    assertRefused(await browser.get('/api/nowhere'), 404, 'Recurso nao encontrado')
    const own = await (await signedIn(service(), user.email)).get('/nowhere')
    assertPage(own, 404)
    assert.ok(!own.text.includes('class="impersonation"'))
  })

  it('opens the apps of the domain as the user, which is audited with both names, also where the profile is not complete', async () => {
    await service().product({ slug: 'interno', uris: [INTERNAL] })
    const { browser, owner, user, sessionId } = await impersonateUser(service(), 'app', 'missing')
    const left = await pass(browser, { redirect_to: INTERNAL })
    assert.equal(left.origin + left.pathname, INTERNAL)
    const { claims } = decode(parameter(left, 'eg_session'))
    assert.deepEqual([claims.sub, claims.act], [user.id, { sub: owner.id }])
    const entry = await lastAudit(service(), 'user.impersonated_handoff')
    assert.deepEqual([entry.actor, entry.target], [`user:${owner.id}`, user.id])
    assert.deepEqual(entry.after, { session: sessionId, product: 'interno' })
    assert.match(entry.ip ?? '', /^(127\.0\.0\.1|::1)$/)
  })

  it('stops by the button: the acting session ends, their own is back as it was, at the user in the console', async () => {
    const { browser, owner, user, ownToken, sessionId } = await impersonateUser(service(), 'para')
    const impersonation = sessionOf(browser)
    assertOwnRedirect(await stopImpersonation(browser), `/admin/users/${user.id}/show`)
    assert.deepEqual([await isLive(service(), impersonation), await isLive(service(), sessionOf(browser))], [false, true])
    assert.equal(decode(sessionOf(browser)).claims.sid, decode(ownToken).claims.sid)
    assert.equal(browser.cookies.has('portaria_original'), false)
    assert.equal((await owner.get('/me')).json<{ id: string }>().id, owner.id)
    const entry = await lastAudit(service(), 'user.impersonation_ended')
    assert.deepEqual([entry.actor, entry.target, entry.after], [`user:${owner.id}`, user.id, { session: sessionId }])
    assert.deepEqual([entry.reason, typeof entry.ip], ['impersonation_stopped', 'string'])
  })

  it('is in the audit log from the beginning, with the reason, from where, and until when', async () => {
    const { owner, user, sessionId } = await impersonateUser(service(), 'auditada')
    const entry = await lastAudit(service(), 'user.impersonate')
    assert.deepEqual([entry.actor, entry.target, entry.reason], [`user:${owner.id}`, user.id, WHY])
    assert.match(entry.ip ?? '', /^(127\.0\.0\.1|::1)$/)
    assert.deepEqual(entry.after, { session: sessionId, until: new Date(service().clock.now + 15 * MINUTES).toISOString() })
  })

  it('is marked as support’s among the user’s sessions, without address or time of use, and the user may end it', async () => {
    const { browser, user, sessionId } = await impersonateUser(service(), 'lista')
    const own = await signedIn(service(), user.email)
    await browser.get('/account')
    await service().flushLastSeen()
    const page = await own.get('/account/sessions')
    const entries = page.text.split('<li class="entry">').slice(1)
    const supports = entries.filter((entry) => entry.includes('<h2>Suporte'))
    assert.deepEqual([entries.length, supports.length], [2, 1])
    assert.match(supports[0] ?? '', /Alguém do suporte age em seu nome/)
    assert.doesNotMatch(supports[0] ?? '', /Endereço IP|Visto por último/)
    const row = () =>
      service()
        .context.storage.db.selectFrom('sessions')
        .select(['last_seen_at', 'ended_reason'])
        .where('id', '=', sessionId)
        .executeTakeFirstOrThrow()
    assert.equal((await row()).last_seen_at, null)
    const impersonation = sessionOf(browser)
    assertOwnRedirect(await own.submit('/account/sessions/end', { session: sessionId }), '/account/sessions')
    assert.equal(await isLive(service(), impersonation), false)
    assert.equal((await lastAudit(service(), 'user.impersonation_ended')).reason, 'ended_by_owner')
  })

  it('is marked in the admin API and in what the user downloads', async () => {
    const { owner, user, sessionId, browser } = await impersonateUser(service(), 'dados')
    await stopImpersonation(browser)
    const shown = (await owner.get(`/sessions/${sessionId}`)).json<Record<string, unknown>>()
    assert.deepEqual([shown.impersonator_id, shown.live, shown.ended_reason], [owner.id, false, 'impersonation_stopped'])
    assert.equal((await owner.get(`/users/${user.id}`)).json<{ live_sessions: number }>().live_sessions, 0)
    const exported = await owner.send('POST', `/users/${user.id}/export`, { reason: 'pedido' })
    const data = exported.json<{ sessions: Array<Record<string, unknown>>; audit: Array<Record<string, unknown>> }>()
    assert.deepEqual(
      data.sessions.map(({ by, ip, user_agent }) => [by, ip, user_agent]),
      [['operator', null, null]],
    )
    assert.deepEqual(data.audit.find(({ action }) => action === 'user.impersonate')?.reason, WHY)
    assert.equal(exported.text.includes(owner.id), false)
  })

  it('is refused for oneself, users with any role, users who are locked out, and nobody', async () => {
    const owner = await adminOf(service(), 'recusa@example.com', 'owner')
    const send = (id: string, body: unknown = { reason: WHY }) => owner.send('POST', `/users/${id}/impersonate`, body)
    assertRefused(await send(owner.id), 409, 'conflito', { reason: 'oneself' })
    for (const role of ['owner', 'support', 'viewer'] as const) {
      const { id } = await service().user(`papel-${role}@example.com`)
      await giveRole(service(), `papel-${role}@example.com`, role)
      assertRefused(await send(id), 409, 'conflito', { reason: 'has_role' })
    }
    const { id } = await service().user('fora@example.com')
    await owner.send('POST', `/users/${id}/disable`, {})
    assertRefused(await send(id), 409, 'conflito', { reason: 'disabled' })
    assertRefused(await send('0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21'), 404, 'nao encontrado')
    const { id: other } = await service().user('sem-motivo@example.com')
    for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }]) {
      const refused = await send(other, body)
      assert.equal(refused.status, 400, refused.text)
      assert.deepEqual(setCookies(refused), {})
    }
  })

  it('is an owner who has authenticated within the last ten minutes, and no script', async () => {
    const fresh = await startService(await database.fresh(), { passwords: cheapPasswords })
    const { id } = await fresh.user('alvo@example.com')
    const owner = await adminOf(fresh, 'velha@example.com', 'owner')
    for (const role of ['support', 'viewer'] as const)
      assertRefused(
        await (await adminOf(fresh, `${role}@example.com`, role)).send('POST', `/users/${id}/impersonate`, { reason: WHY }),
        403,
        'nao permitido',
      )
    assertRefused(await (await scriptOf(fresh, 'owner')).send('POST', `/users/${id}/impersonate`, { reason: WHY }), 403, 'nao permitido')
    fresh.clock.now += 10 * MINUTES
    assertRefused(await owner.send('POST', `/users/${id}/impersonate`, { reason: WHY }), 403, 'prova recente necessaria')
  })

  it('is reported to the user by mail, in their language, with why and until when, and not by whom', async () => {
    const mailbox = await startMailbox()
    const mailed = await startService(await database.fresh(), {
      environment: { PORTARIA_SMTP_URL: mailbox.url },
      passwords: cheapPasswords,
    })
    const { user, owner } = await impersonateUser(mailed, 'avisada')
    const mail = await mailbox.find(user.email, ({ subject }) => subject === 'O suporte abriu sua conta em seu nome')
    const text = mail.text ?? ''
    assert.match(text, /Motivo: pediu ajuda por telefone/)
    assert.match(text, /Até: .*\d{2}:\d{2}/)
    assert.doesNotMatch(text, new RegExp(`${owner.id}|dona-avisada|Ana Flávia`))
  })
})

eachDatabase('When 15 minutes have passed', (database) => {
  it('the acting session is good nowhere, and the next page brings the owner’s own back, at the user', async () => {
    const service = await startService(await database.fresh(), { passwords: cheapPasswords })
    const { browser, user, owner } = await impersonateUser(service, 'fim')
    const impersonation = sessionOf(browser)
    service.clock.now += 15 * MINUTES - 1_000
    assert.equal(await isLive(service, impersonation), true)
    service.clock.now += 1_000
    assert.equal(await isLive(service, impersonation), false)
    assertOwnRedirect(await browser.get('/account/purchases'), `/admin/users/${user.id}/show`)
    assert.equal(await isLive(service, sessionOf(browser)), true)
    assert.equal((await owner.get('/me')).json<{ id: string }>().id, owner.id)
    assert.equal((await lastAudit(service, 'user.impersonation_ended')).reason, 'impersonation_expired')
  })

  it('also from an app of the domain, whose sign-in would otherwise be the owner’s, unseen; and from the button of an old page', async () => {
    const service = await startService(await database.fresh(), { passwords: cheapPasswords })
    await service.product({ slug: 'interno', uris: [INTERNAL] })
    const first = await impersonateUser(service, 'doapp')
    service.clock.now += 15 * MINUTES
    assertOwnRedirect(await first.browser.get(loginAddress({ redirect_to: INTERNAL })), `/admin/users/${first.user.id}/show`)
    const second = await impersonateUser(service, 'botao')
    service.clock.now += 15 * MINUTES
    assertOwnRedirect(await stopImpersonation(second.browser), `/admin/users/${second.user.id}/show`)
    assert.equal(await isLive(service, sessionOf(second.browser)), true)
  })

  it('what a browser kept aside is good for an hour; then the owner signs in', async () => {
    const service = await startService(await database.fresh(), { passwords: cheapPasswords })
    const { browser } = await impersonateUser(service, 'tarde')
    service.clock.now += 60 * MINUTES
    assertOwnRedirect(await browser.get('/account'), '/login')
    assertOwnRedirect(await stopImpersonation(browser), '/admin/sign-in')
  })

  it('the end of one whose browser never came back is in the audit log, once', async () => {
    const service = await startService(await database.fresh(), { passwords: cheapPasswords })
    const { sessionId } = await impersonateUser(service, 'sumiu')
    await endExpiredImpersonations(service.context)
    assert.deepEqual(await listAudit(service.context.storage.db, { limit: 9, action: 'user.impersonation_ended' }), [])
    service.clock.now += 15 * MINUTES
    await endExpiredImpersonations(service.context)
    await endExpiredImpersonations(service.context)
    const ended = await listAudit(service.context.storage.db, { limit: 9, action: 'user.impersonation_ended' })
    assert.deepEqual(
      ended.map(({ after, reason }) => [after, reason]),
      [[{ session: sessionId }, 'impersonation_expired']],
    )
  })
})

oneDatabase('A sign-in in the browser of who acts', (database) => {
  const service = startForSuite(database)

  it('ends the acting and what was kept aside, whoever signs in, the user themselves too', async () => {
    for (const name of ['propria', 'terceira']) {
      const { browser, user, ownToken } = await impersonateUser(service(), name)
      const impersonation = sessionOf(browser)
      const email = name === 'propria' ? user.email : (await service().user('outra@example.com')).email
      const form = await browser.get('/admin/sign-in')
      const page = await browser.get(assertOwnRedirect(form, '/login'))
      const flow = /name="flow" value="([^"]+)"/.exec(page.text)?.[1] ?? assert.fail()
      assert.equal((await browser.submit('/login', { flow, email, password: PASSWORD })).status, 302)
      assert.deepEqual([await isLive(service(), impersonation), await isLive(service(), ownToken)], [false, false])
      assert.equal(browser.cookies.has('portaria_original'), false)
      assert.equal('act' in decode(sessionOf(browser)).claims, false)
      assert.equal((await lastAudit(service(), 'user.impersonation_ended')).reason, 'replaced')
    }
  })

  it('and a sign-out leaves nobody signed in', async () => {
    const { browser, ownToken } = await impersonateUser(service(), 'saida')
    const impersonation = sessionOf(browser)
    assertPage(await browser.get('/auth/signout'), 200)
    assert.deepEqual([await isLive(service(), impersonation), await isLive(service(), ownToken)], [false, false])
    assert.equal(browser.cookies.has('portaria_original'), false)
  })
})

oneDatabase('An access token', (database) => {
  const service = startForSuite(database)

  it('is not had for a session that somebody acts in: it would outlive the acting wherever it is verified offline', async () => {
    const { browser } = await impersonateUser(service(), 'token')
    assertRefused(await post(service(), '/auth/token', exchangeOf(sessionOf(browser))), 400, 'invalid_grant')
  })
})

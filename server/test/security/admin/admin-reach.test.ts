import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import type { Answer } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { bring, completed, notify, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { ranSince } from '../../support/gateways/runs.ts'
import { holdNextAnswer } from '../../support/routes/asked-queries.ts'
import { PASSWORD, startForSuite, type TestService } from '../../support/service.ts'
import { type Admin, adminOf, giveRole, lastAudit, scriptOf } from '../../support/users/admins.ts'

const NOT_ALLOWED = [403, 'nao permitido'] as const
const STALE = [403, 'prova recente necessaria'] as const
const TOO_MANY = [429, 'muitas tentativas'] as const

eachDatabase('How far the actions of the admin API reach', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })

  it('is bounded for mails: whoever invites sends thirty an hour, three to one address, and refused ones are not counted', async () => {
    const support = await adminOf(service(), 'convites@example.com', 'support')
    const invite = (email: string, by: Admin = support) => by.send('POST', '/users', { email, name: 'Convidada' })
    for (let i = 0; i < 5; i++) assert.equal((await invite('convites@example.com')).status, 400)
    const owner = await adminOf(service(), 'apaga@example.com', 'owner')
    for (let i = 0; i < 3; i++) {
      const made = await invite(i === 1 ? ' VITIMA@example.com' : 'vitima@example.com')
      assert.equal(made.status, 201, made.text)
      assert.equal((await owner.send('DELETE', `/users/${made.json().id}`, { reason: 'de novo' })).status, 200)
    }
    const fourth = await invite('vitima@example.com', owner)
    assertRefused(fourth, TOO_MANY)
    assert.match(fourth.headers.get('retry-after') ?? '', /^\d+$/)
    const all = await Promise.all(Array.from({ length: 40 }, (_, i) => invite(`convidada-${i}@example.com`)))
    assert.equal(all.filter(({ status }) => status === 201).length, 27)
    assert.equal(all.filter(({ status }) => status === 429).length, 13)
    const { id } = await service().user('link@example.com')
    assertRefused(await support.send('POST', `/users/${id}/send-link`, {}), TOO_MANY)
    assert.equal((await owner.send('POST', `/users/${id}/send-link`, {})).status, 200)
  })

  it('is bounded for what leaves the house or is gone for good: thirty exports, thirty deletions, sixty tax ids an hour', async () => {
    const support = await adminOf(service(), 'leva@example.com', 'support')
    const { id } = await service().user('levada@example.com')
    const exported = await Promise.all(Array.from({ length: 32 }, () => support.send('POST', `/users/${id}/export`, { reason: 'x' })))
    assert.equal(exported.filter(({ status }) => status === 200).length, 30)
    const guess = () => Promise.all(Array.from({ length: 31 }, () => support.get('/search?q=529.982.247-25')))
    const guessed = [...(await guess()), ...(await guess())]
    assert.deepEqual(
      [guessed.filter(({ status }) => status === 200).length, guessed.filter(({ status }) => status === 429).length],
      [60, 2],
    )
    assert.equal((await support.get('/search?q=levada')).status, 200)
    const users: { id: string }[] = []
    // One after the other: so many at once would wait too long for a connection on a slow machine.
    for (let i = 0; i < 31; i++) users.push(await service().user(`some-${i}@example.com`))
    const gone = await Promise.all(users.map((one) => support.send('DELETE', `/users/${one.id}`, { reason: 'x' })))
    assert.equal(gone.filter(({ status }) => status === 200).length, 30)
  })

  it('brings nobody what was bought with an address, from a browser left open', async () => {
    const support = await adminOf(service(), 'aberta@example.com', 'support')
    const guest = await bring(service(), { ref: 'guest', kind: 'paid', email: 'alheia@example.com', periodEnd: service().clock.now + 9e7 })
    await notify(service().url, completed({ email: 'espera@example.com', plan: 'plano-que-falta' }))
    const pending = await pendingOf(service(), 'espera@example.com')
    const { clock } = service()
    const vouched = { email: 'alheia@example.com', name: 'Alheia', verified: true }
    clock.now += 10 * 60_000
    try {
      assertRefused(await support.send('POST', '/users', vouched), STALE)
      const known = { plan: 'easy-pro', email: 'aberta@example.com' }
      assertRefused(await support.send('POST', `/notifications/${pending}/resolve`, known), STALE)
      assert.equal((await support.send('POST', '/users', { ...vouched, email: 'outra@example.com', verified: false })).status, 201)
    } finally {
      clock.now -= 10 * 60_000
    }
    const made = await support.send('POST', '/users', vouched)
    assert.equal(made.status, 201)
    assert.equal((await support.get(`/subscriptions/${guest.id}`)).json().user_id, made.json().id)
  })

  it('ends, for support, at what users with a role have bought or are to have: it is not resolved for them, nor kept from them', async () => {
    const support = await adminOf(service(), 'acerta@example.com', 'support')
    const owner = await adminOf(service(), 'acerta-dona@example.com', 'owner')
    const { email } = await service().user('com-poder@example.com')
    await giveRole(service(), email, 'viewer')
    await notify(service().url, completed({ email, plan: 'plano-dela' }))
    await notify(service().url, completed({ email: 'cliente-comum@example.com', plan: 'plano-dele' }))
    const [theirs, common] = [await pendingOf(service(), email), await pendingOf(service(), 'cliente-comum@example.com')]
    const known = { plan: 'easy-pro' }
    for (const [path, body] of [
      [`${theirs}/resolve`, known],
      [`${theirs}/resolve`, { ...known, email: 'cliente-comum@example.com' }],
      [`${theirs}/ignore`, { reason: 'x' }],
      [`${common}/resolve`, { ...known, email }],
    ] as const)
      assertRefused(await support.send('POST', `/notifications/${path}`, body), NOT_ALLOWED)
    assert.deepEqual([await subscriptionsOf(service(), email), await subscriptionsOf(service(), 'cliente-comum@example.com')], [[], []])
    for (const slug of ['plano-dela', 'plano-dele'])
      assert.equal((await owner.send('POST', '/plans', { slug, name: slug, price: 1 })).status, 201)
    for (const admin of [support, await scriptOf(service(), 'owner')])
      assertRefused(await admin.send('POST', `/notifications/${theirs}/reprocess`, {}), NOT_ALLOWED)
    const since = new Date(service().clock.now - 3_600_000).toISOString()
    const replayed = await ranSince(support, since)
    assert.deepEqual([replayed.processed, replayed.pending], [1, { ...replayed.pending, not_allowed: 1 }])
    assert.equal((await subscriptionsOf(service(), email)).length, 0)
    assert.equal((await owner.send('POST', `/notifications/${theirs}/reprocess`, {})).status, 200)
    assert.equal((await subscriptionsOf(service(), email)).length, 1)
    assert.equal((await lastAudit(service(), 'notification.reprocess')).target, theirs)
  })

  it('ends, for support, at mails that still wait: they may inform somebody of what support has done', async () => {
    const [support, owner] = [await scriptOf(service(), 'support'), await scriptOf(service(), 'owner')]
    const { db } = service().context.storage
    const row = {
      kind: 'mail',
      payload_sealed: 'x',
      attempts: 1,
      run_at: 9e12,
      leased_until: null,
      created_at: 0,
      lane: null,
      last_error: 'x',
    }
    const [pending, dead] = [randomUUID(), randomUUID()]
    await db
      .insertInto('outbox')
      .values([
        { ...row, id: pending, dead_at: null },
        { ...row, id: dead, dead_at: 1 },
      ])
      .execute()
    assertRefused(await support.send('DELETE', `/jobs/${pending}`, { reason: 'x' }), NOT_ALLOWED)
    for (const [admin, id] of [
      [support, dead],
      [owner, pending],
    ] as const)
      assert.equal((await admin.send('DELETE', `/jobs/${id}`, { reason: 'x' })).status, 200)
  })

  it('is judged by the role that a user has when the action is done, whoever gave it a moment before', async () => {
    const support = await adminOf(service(), 'apressada@example.com', 'support')
    const { db } = service().context.storage
    for (const [method, action, body] of [
      ['DELETE', '', { reason: 'x' }],
      ['POST', '/disable', {}],
      ['POST', '/enable', {}],
      ['POST', '/revoke-sessions', {}],
      ['POST', '/remove-factors', { reason: 'x' }],
      ['POST', '/correct', { phone: '+5511987654321', reason: 'x' }],
    ] as const) {
      const email = `promovida${action.replace('/', '-')}@example.com`
      const { id } = await service().user(email)
      await service().browser().signIn('/login', { email, password: PASSWORD })
      await service().browser().signIn('/login', { email, password: 'a wrong password' })
      await service().writeFailedSignIns()
      await db
        .insertInto('totp_factors')
        .values({ user_id: id, secret_sealed: 'x', created_at: 1, confirmed_at: 2, last_step: 0 })
        .execute()
      const left = async () => [
        await db.selectFrom('users').select(['id', 'disabled_at']).where('id', '=', id).execute(),
        await db.selectFrom('users_company').selectAll().where('user_id', '=', id).execute(),
        await db.selectFrom('sessions').select('ended_at').where('user_id', '=', id).execute(),
        await db.selectFrom('failed_sign_ins').select('id').where('user_id', '=', id).execute(),
        await db.selectFrom('totp_factors').select('user_id').where('user_id', '=', id).execute(),
        await db.selectFrom('audit').select('action').where('target', '=', id).where('actor', '=', `user:${support.id}`).execute(),
      ]
      const before = await left()
      const read = holdNextAnswer(service(), /^select .* from "users"/, id)
      const answer = support.send(method, `/users/${id}${action}`, body)
      await read.asked
      await giveRole(service(), email, 'owner')
      read.goOn()
      assertRefused(await answer, [412, 'alterado por outra pessoa'])
      assert.deepEqual(await left(), before, action)
      assertRefused(await support.send(method, `/users/${id}${action}`, body), NOT_ALLOWED)
    }
  })

  it('gives a role once, whatever else of the user changes at that moment, and never says that somebody edited what nobody saw', async () => {
    const owners = [await adminOf(service(), 'dona-um@example.com', 'owner'), await adminOf(service(), 'dona-dois@example.com', 'owner')]
    for (let round = 0; round < 5; round++) {
      const { id, email } = await service().user(`promovida-${round}@example.com`)
      const grants = owners.map((owner) => owner.send('POST', '/administrators', { email, role: 'viewer' }))
      const beside = Array.from({ length: 3 }, () => owners[0]?.send('POST', `/users/${id}/disable`, {}))
      const answers = await Promise.all(grants)
      await Promise.all(beside)
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400], answers.map(({ text }) => text).join())
      assert.deepEqual(answers.find(({ status }) => status === 400)?.json(), { error: 'Payload invalido', fields: { email: 'has_role' } })
    }
  })
})

function assertRefused(answer: Answer, [status, error]: readonly [number, string]): void {
  assert.deepEqual([answer.status, answer.json().error], [status, error], answer.text)
}

async function pendingOf({ context }: TestService, subject: string): Promise<string> {
  const rows = context.storage.db.selectFrom('notifications').select('id').where('subject', '=', subject).where('status', '=', 'unresolved')
  return (await rows.executeTakeFirstOrThrow()).id
}

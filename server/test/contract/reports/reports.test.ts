import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createMerchantAccounts, reconcile } from '../../../src/gateways/index.ts'
import { firstIdAt } from '../../../src/kit/index.ts'
import { OPERATOR_SCOPE, planStore } from '../../../src/subscriptions/index.ts'
import { commandLine } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startFakeApi } from '../../support/gateways/fake-api.ts'
import { askAccess, type Connected, deliver, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import { asaasEvent, charge, invoicePaid, stripeEvent } from '../../support/gateways/made-events.ts'
import { activated, bring, later, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { findUnlisted } from '../../support/second-hand/lists.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { scriptOf } from '../../support/users/admins.ts'
import { assertRefused } from '../../support/users/sign-in-steps.ts'

const NOW = Date.UTC(2026, 10, 20, 12)

const refundOn = (day: string) => ({ refunds: [{ status: 'DONE', value: 33.3, dateCreated: `${day} 10:00:00` }] })

eachDatabase('The report of a month', (database) => {
  async function open() {
    const place = await database.fresh()
    const service = await startService(place, { environment: WEBHOOKS })
    service.clock.now = NOW
    return { service, portaria: commandLine(place) }
  }

  it('has what the checkout reports, on the command line as in the API, in all its forms', async () => {
    const { service, portaria } = await open()
    const period = { period_start: '2026-10-05T12:00:00Z', period_end: '2026-11-05T12:00:00Z' }
    const sold = activated({ email: 'ana@example.com', at: '2026-10-05T12:00:00Z', amount: 9_900, ...period })
    assert.equal((await notify(service.url, sold)).status, 200)
    const script = await scriptOf(service, 'viewer')
    const answer = await script.get('/reports/monthly?month=2026-10')
    assert.equal(answer.status, 200)
    const report = answer.json<{
      figures: Record<string, number>
      time_zone: string
      is_complete: boolean
      plans: object[]
      days: object[]
    }>()
    assert.deepEqual([report.time_zone, report.is_complete, report.days.length], ['America/Sao_Paulo', true, 31])
    const { active, mrr, new: fresh, received, net, payments } = report.figures
    assert.deepEqual(
      { active, mrr, fresh, received, net, payments },
      { active: 1, mrr: 9_900, fresh: 1, received: 9_900, net: 9_900, payments: 1 },
    )
    assert.equal(report.plans.length, 1)
    assert.deepEqual((await portaria('report monthly --month 2026-10 --json')).json, report)
    assert.match((await portaria('report monthly --month 2099-01')).err, /2099-01 has not begun/)
    const text = (await portaria('report monthly --month 2026-10')).out
    assert.match(text, /^month +2026-10\ndays +2026-10-01 to 2026-10-31, America\/Sao_Paulo\nbefore +2026-09-01 to 2026-09-30\n/)
    assert.match(text, /^monthly recurring revenue +R\$ 99,00 +R\$ 0,00$/m)
    const rows = (await portaria('report monthly --month 2026-10 --csv')).out
      .trim()
      .split('\n')
      .map((row) => row.split(','))
    const [head = [], month = []] = rows
    assert.deepEqual([rows.length, new Set(rows.map((row) => row.length)).size], [1 + 2 + 2 + 31, 1])
    assert.deepEqual([month[0], month[head.indexOf('mrr')], month[head.indexOf('active')]], ['month', '99.00', '1'])
  })

  it('has what happened besides, as the overview counts it, in all its forms', async () => {
    const { service, portaria } = await open()
    const { db } = service.context.storage
    const at = (iso: string) => firstIdAt(Date.parse(iso))
    const user = { email_verified_at: 1, created_at: 1, updated_at: 1 }
    await db
      .insertInto('users')
      .values([
        { id: at('2026-10-01T03:00:00Z'), email: 'first@example.com', ...user },
        { id: at('2026-10-01T02:59:59Z'), email: 'before@example.com', ...user },
      ])
      .execute()
    await db
      .insertInto('daily_counts')
      .values([
        { day: '2026-10-31', name: 'failed_sign_ins:wrong_code', count: 4 },
        { day: '2026-09-30', name: 'failed_sign_ins:wrong_credentials', count: 3 },
      ])
      .execute()
    const report = (await portaria('report monthly --month 2026-10 --json')).json
    const nothing = { sign_ins: 0, sign_ins_by_method: {}, failed_notifications: 0, new_users: 1 }
    const now = { ...nothing, failed_sign_ins: 4, failed_sign_ins_by_kind: { wrong_code: 4 } }
    assert.deepEqual(report.activity, now)
    assert.deepEqual(report.before.activity, { ...nothing, failed_sign_ins: 3, failed_sign_ins_by_kind: { wrong_credentials: 3 } })
    const script = await scriptOf(service, 'viewer')
    assert.deepEqual((await script.get('/reports/monthly?month=2026-10')).json(), report)
    const text = (await portaria('report monthly --month 2026-10')).out
    assert.match(
      text,
      /^new users +1 +1\nsign-ins +0 +0\nrefused sign-ins +4 +3\n {2}wrong code +4 +0\n {2}wrong credentials +0 +3\nstuck notifications +0 +0$/m,
    )
    const [head = [], month = [], before = [], ...others] = (await portaria('report monthly --month 2026-10 --csv')).out
      .trim()
      .split('\n')
      .map((row) => row.split(',').slice(-6))
    assert.deepEqual(head, [
      'new_users',
      'sign_ins',
      'failed_sign_ins',
      'failed_notifications',
      'failed_sign_ins_by_kind',
      'sign_ins_by_method',
    ])
    assert.deepEqual(
      [month, before],
      [
        ['1', '0', '4', '0', 'wrong_code 4', ''],
        ['1', '0', '3', '0', 'wrong_credentials 3', ''],
      ],
    )
    assert.deepEqual(new Set(others.flat()), new Set(['']))
  })

  it('has what a gateway reports in other currencies apart, and none of it among reais', async () => {
    const { service, portaria } = await open()
    const school = await openSchool(service, 'stripe')
    const sent = async (name: string, day: number, more: object) => {
      const at = Date.UTC(2026, 9, day, 12)
      const made = invoicePaid(`sub_${name}`, `${name}@example.com`, { at, ...more })
      assert.equal((await deliver(school, made, { at: NOW })).status, 200)
    }
    await sent('ana', 5, {})
    await sent('bob', 6, { currency: 'usd', amount_paid: 1_990 })
    await sent('ken', 7, { currency: 'jpy', amount_paid: 1_500 })
    const refund = { id: 'ch_bob', object: 'charge', invoice: 'in_sub_bob', amount: 1_990, amount_refunded: 500, currency: 'usd' }
    assert.equal((await deliver(school, stripeEvent('charge.refunded', refund, { at: Date.UTC(2026, 9, 9) }), { at: NOW })).status, 200)
    const script = await scriptOf(service, 'viewer')
    const report = (await script.get('/reports/monthly?month=2026-10')).json<{
      figures: Record<string, number>
      other_currencies: Array<{ currency: string; figures: Record<string, number> }>
    }>()
    const { active, payments, received, mrr, payments_without_amount: unknown } = report.figures
    assert.deepEqual({ active, payments, received, mrr, unknown }, { active: 3, payments: 3, received: 9_990, mrr: 9_990, unknown: 0 })
    const apart = report.other_currencies.map(({ currency, figures }) => [currency, figures.received, figures.refunded, figures.net])
    assert.deepEqual(apart, [
      ['JPY', 1_500, 0, 1_500],
      ['USD', 1_990, 500, 1_490],
    ])
    assert.deepEqual((await portaria('report monthly --month 2026-10 --json')).json, report)
    const text = (await portaria('report monthly --month 2026-10')).out
    assert.match(text, /^received +R\$ 99,90 +R\$ 0,00$/m)
    assert.match(text, /^USD +month +1 +US\$ 19,90 +1 +0 +US\$ 19,90 +US\$ 5,00 +US\$ 0,00 +US\$ 14,90$/m)
    assert.match(text, /^JPY +month +1 +JP¥ 1\.500 /m)
    const rows = (await portaria('report monthly --month 2026-10 --csv')).out.trim().split('\n')
    const [head = [], ...cells] = rows.map((row) => row.split(','))
    const cell = (scope: string, currency: string, name: string) =>
      cells.find((row) => row[0] === scope && row[head.indexOf('currency')] === currency)?.[head.indexOf(name)]
    assert.deepEqual(
      [cell('month', 'BRL', 'received'), cell('currency', 'USD', 'net'), cell('currency', 'JPY', 'net')],
      ['99.90', '14.90', '1500'],
    )
  })

  it('has the amount in another currency of an event that was kept without it, once it is reported again', async () => {
    const { service, portaria } = await open()
    const school = await openSchool(service, 'stripe')
    const more = { at: Date.UTC(2026, 9, 6, 12), currency: 'usd', amount_paid: 1_990 }
    const report = async () => (await portaria('report monthly --month 2026-10 --json')).json
    assert.equal((await deliver(school, invoicePaid('sub_bob', 'bob@example.com', more), { at: NOW })).status, 200)
    const { db } = service.context.storage
    await db.updateTable('subscription_events').set({ foreign_amount: null }).execute()
    await db.updateTable('event_streams').set({ counted_at: null }).execute()
    assert.deepEqual([(await report()).other_currencies, (await report()).figures.payments_without_amount], [[], 1])
    assert.equal((await deliver(school, invoicePaid('sub_bob', 'bob@example.com', more), { at: NOW })).status, 200)
    const { figures, other_currencies } = await report()
    assert.deepEqual([figures.payments_without_amount, other_currencies[0]?.figures.received], [0, 1_990])
  })

  it('has behind what is new and what is lost a list of exactly these subscriptions', async () => {
    const { service } = await open()
    const school = await openSchool(service, 'stripe')
    const sell = async (name: string, at: number) => {
      const made = invoicePaid(`sub_${name}`, `${name}@example.com`, { at })
      assert.equal((await deliver(school, made, { at: NOW })).status, 200)
    }
    // Of 30 days and three of grace. Known here in November, all of them; those of October are lost by the 20th of November but one.
    for (const day of [1, 9, 17]) await sell(`oct${day}`, Date.UTC(2026, 9, day, 12))
    await sell('oct25', Date.UTC(2026, 9, 25, 12))
    await sell('nov2', Date.UTC(2026, 10, 2, 12))
    const script = await scriptOf(service, 'support')
    const figures = async (month: string) =>
      (await script.get(`/reports/monthly?month=${month}`)).json<{ figures: Record<string, number> }>().figures
    const list = async (query: string) => {
      const { data, next_cursor } = (await script.get(`/subscriptions?${query}`)).json<{
        data: Array<{ email: string }>
        next_cursor: string | null
      }>()
      return { names: data.map(({ email }) => email.split('@')[0]), next: next_cursor }
    }
    const october = 'changed_since=2026-10-01T03:00:00Z&changed_until=2026-11-01T03:00:00Z'
    const november = 'changed_since=2026-11-01T03:00:00Z&changed_until=2026-12-01T03:00:00Z'
    const fresh = await list(`changed=new&${october}`)
    assert.deepEqual(fresh.names, ['oct25', 'oct17', 'oct9', 'oct1'])
    assert.equal((await figures('2026-10')).new, 4)
    // The 25th of October ends on the 27th of November: it is counted ahead, and is neither in the figure nor in the list.
    const lost = await list(`changed=lost&${november}&sort=created_at`)
    assert.deepEqual(lost.names, ['oct1', 'oct9', 'oct17'])
    assert.equal((await figures('2026-11')).lost, 3)
    assert.deepEqual((await list(`changed=new&${november}`)).names, ['nov2'])
    assert.deepEqual((await list('changed=new')).names, ['nov2', 'oct25', 'oct17', 'oct9', 'oct1'])
    // Page by page, and with another filter.
    const first = await list(`changed=new&${october}&limit=3`)
    const second = await list(`changed=new&${october}&limit=3&cursor=${encodeURIComponent(String(first.next))}`)
    assert.deepEqual([first.names, second.names, second.next], [['oct25', 'oct17', 'oct9'], ['oct1'], null])
    assert.deepEqual((await list(`changed=new&${october}&email=oct9@example.com`)).names, ['oct9'])
    const without = await script.get(`/subscriptions?${october}`)
    assert.deepEqual([without.status, without.json<{ fields: object }>().fields], [400, { changed: 'missing' }])
    assert.equal((await script.get('/subscriptions?changed=active')).status, 400)
    // What is active at the end of a day, by the beginning of it; oct25 on the 20th of November.
    const active = await list('active_on=2026-10-31&limit=3')
    const rest = await list(`active_on=2026-10-31&limit=3&cursor=${encodeURIComponent(String(active.next))}`)
    assert.deepEqual([active.names, rest.names, rest.next], [['oct25', 'oct17', 'oct9'], ['oct1'], null])
    assert.equal((await figures('2026-10')).active, 4)
    assert.deepEqual((await list('active_on=2026-11-20&sort=created_at')).names, ['oct25', 'nov2'])
    assert.equal((await figures('2026-11')).active, 2)
    assert.deepEqual((await list('active_on=2026-11-20&email=nov2@example.com')).names, ['nov2'])
    assert.deepEqual((await list('active_on=2026-11-27')).names, ['nov2'])
    assert.deepEqual((await list(`active_on=2026-11-20&changed=new&${october}`)).names, ['oct25'])
    assert.equal((await script.get('/subscriptions?active_on=2026-02-31')).status, 400)
    // Another order has other cursors.
    const { next } = await list('limit=1')
    for (const filter of ['active_on=2026-10-31', `changed=new&${october}`])
      assert.equal((await script.get(`/subscriptions?limit=1&${filter}&cursor=${encodeURIComponent(String(next))}`)).status, 400, filter)
  })

  it('has behind the money a list of every payment and refund, which comes to it', async () => {
    const { service } = await open()
    const school = await openSchool(service, 'stripe')
    const sell = async (name: string, day: number, more: object = {}) => {
      const made = invoicePaid(`sub_${name}`, `${name}@example.com`, { at: Date.UTC(2026, 9, day, 12), ...more })
      assert.equal((await deliver(school, made, { at: NOW })).status, 200)
    }
    await sell('ana', 5)
    await sell('bob', 6, { currency: 'usd', amount_paid: 1_990 })
    // In the last millisecond of October in São Paulo.
    const last = activated({ email: 'eva@example.com', at: '2026-11-01T02:59:59.999Z', amount: 5_000, period_end: '2026-12-01T00:00:00Z' })
    assert.equal((await notify(service.url, last)).status, 200)
    const refund = { id: 'ch_ana', object: 'charge', invoice: 'in_sub_ana', amount: 9_990, amount_refunded: 2_500, currency: 'brl' }
    assert.equal((await deliver(school, stripeEvent('charge.refunded', refund, { at: Date.UTC(2026, 9, 9) }), { at: NOW })).status, 200)
    const script = await scriptOf(service, 'support')
    type Row = { kind: string; amount: number; email: string; subscription_id: string; payment_id: string }
    const list = async (query: string, by = script) =>
      (await by.get(`/transactions?since=2026-10-01T03:00:00Z&until=2026-11-01T02:59:59.999Z${query}`)).json<{
        data: Row[]
        next_cursor: string | null
        is_counting: boolean
      }>()
    const short = ({ data }: { data: Row[] }) => data.map(({ kind, amount, email }) => `${email.split('@')[0]} ${kind} ${amount}`)
    assert.deepEqual(short(await list('')), ['eva payment 5000', 'ana refund -2500', 'ana payment 9990'])
    const { figures } = (await script.get('/reports/monthly?month=2026-10')).json<{ figures: Record<string, number> }>()
    assert.deepEqual([figures.net, figures.refunded], [12_490, 2_500])
    assert.deepEqual(short(await list('&figure=refunded')), ['ana refund -2500'])
    assert.deepEqual(short(await list('&currency=USD')), ['bob payment 1990'])
    const first = await list('&limit=2&sort=at')
    const second = await list(`&limit=2&sort=at&cursor=${encodeURIComponent(String(first.next_cursor))}`)
    assert.deepEqual(
      [short(first), short(second), second.next_cursor],
      [['ana payment 9990', 'ana refund -2500'], ['eva payment 5000'], null],
    )
    const [payment] = first.data
    assert.deepEqual([payment?.payment_id, payment?.email], ['in_sub_ana', 'ana@example.com'])
    const subscription = (await script.get(`/subscriptions/${payment?.subscription_id}`)).json<{ email: string }>()
    assert.equal(subscription.email, 'ana@example.com')
    assert.equal((await list('', await scriptOf(service, 'viewer'))).data[0]?.email, '•••')
    assert.equal((await (await scriptOf(service, 'owner', ['overview:read'])).get('/transactions')).status, 403)
    for (const wrong of ['currency=reais', 'figure=net', 'since=yesterday'])
      assert.equal((await script.get(`/transactions?${wrong}`)).status, 400, wrong)
  })

  it('has behind each figure of a plan a list that comes to it, and behind the revenue of a month what each is a month', async () => {
    const { service } = await open()
    const script = await scriptOf(service, 'support')
    const { product } = await service.product({ slug: 'loja' })
    const planIds: Record<string, string> = {}
    for (const slug of ['basic', 'year'])
      planIds[slug] = await planStore(service.context.storage.db).put({ scope: OPERATOR_SCOPE, slug, name: slug, price: 4_900 }, NOW)
    const noon = (day: string) => Date.parse(`${day}T12:00:00-03:00`)
    const pay = (ref: string, plan: string, from: string, until: string, more: object = {}) =>
      bring(service, {
        ...{ ref, plan, kind: 'paid', paymentId: `${ref} ${from}`, at: noon(from), periodStart: noon(from), periodEnd: noon(until) },
        ...{ method: 'card', email: `${ref}@example.com`, ...more },
      })
    const basic = { amount: 4_900 }
    await pay('ana', 'basic', '2026-10-02', '2026-11-02', basic)
    // Of the year since the 10th: it was new with the other plan.
    await pay('bia', 'basic', '2026-10-03', '2026-11-03', basic)
    await pay('bia', 'year', '2026-10-10', '2027-10-10', { amount: 39_900 })
    // Lost with the one, back with the other, and lost with that.
    await pay('caio', 'basic', '2026-09-03', '2026-10-03', basic)
    await pay('caio', 'year', '2026-10-12', '2027-10-12', { amount: 39_900 })
    await bring(service, { ref: 'caio', plan: 'year', kind: 'refunded', at: noon('2026-10-20'), paymentId: 'caio 2026-10-12' })
    // The same plan of a product of its own; an amount that nobody knows, one in dollars, and a trial.
    await pay('davi', 'basic', '2026-10-05', '2026-11-05', { amount: 5_900, productId: product.id })
    await pay('edu', 'year', '2026-10-06', '2027-10-06')
    await pay('gil', 'year', '2026-10-07', '2027-10-07', { foreign: { currency: 'USD', amount: 12_000 } })
    await pay('hugo', 'basic', '2026-10-08', '2026-11-08', { amount: 0 })
    const report = (await script.get('/reports/monthly?month=2026-10')).json<Parameters<typeof findUnlisted>[1]>()
    const { active, mrr, new: fresh, lost, returned, plan_changed } = report.figures
    assert.deepEqual([active, mrr, fresh, lost, returned, plan_changed], [6, 4_900 + 3_325 + 5_900, 5, 2, 1, 1])
    assert.deepEqual(await findUnlisted(script, report), [])
    const names = async (query: string) =>
      (await script.get(`/subscriptions?${query}`))
        .json<{ data: Array<{ email: string; monthly_amount: number | null; monthly_currency: string | null }> }>()
        .data.map(({ email, monthly_amount: amount, monthly_currency: currency }) => {
          assert.equal(currency, amount === null ? null : query.includes('currency=USD') ? 'USD' : 'BRL')
          return `${email.split('@')[0]} ${amount ?? '-'}`
        })
    const october = 'changed_since=2026-10-01T03:00:00Z&changed_until=2026-11-01T03:00:00Z'
    const [ofBasic, ofYear, ofNone] = [`plan_id=${planIds.basic}`, `plan_id=${planIds.year}`, 'product_id=none']
    assert.deepEqual(await names(`changed=new&${october}&${ofBasic}&${ofNone}`), ['bia -', 'ana -'])
    assert.deepEqual(await names(`changed=new&${october}&${ofBasic}&product_id=${product.id}`), ['davi -'])
    assert.deepEqual(await names(`changed=plan_changed&${october}&${ofYear}`), ['bia -'])
    assert.deepEqual(await names(`changed=lost&${october}&${ofBasic}`), ['caio -'])
    assert.deepEqual(await names(`changed=lost&${october}&${ofYear}`), ['caio -'])
    assert.deepEqual(await names(`changed=new&${october}&plan_id=none`), [])
    const revenue = 'active_on=2026-10-31&figure=mrr'
    assert.deepEqual(await names(revenue), ['bia 3325', 'davi 5900', 'ana 4900'])
    assert.deepEqual(await names(`${revenue}&limit=1&sort=created_at`), ['ana 4900'])
    assert.deepEqual(await names(`${revenue}&${ofYear}`), ['bia 3325'])
    assert.deepEqual(await names(`${revenue}&currency=USD`), ['gil 1000'])
    assert.deepEqual(await names(`${revenue}&email=bia@example.com`), ['bia 3325'])
    assert.deepEqual(await names(`${revenue}&${ofYear}&changed=new&${october}`), [])
    assert.deepEqual(await names(`${revenue}&${ofYear}&changed=plan_changed&${october}`), ['bia 3325'])
    assert.deepEqual(await names(`${revenue}&changed=new&${october}`), ['davi 5900', 'bia 3325', 'ana 4900'])
    assert.deepEqual(await names(`${revenue}&currency=EUR`), [])
    assert.deepEqual(await names('active_on=2026-10-05&figure=mrr'), ['davi 5900', 'bia 4900', 'ana 4900', 'caio 4900'])
    const owner = await scriptOf(service, 'owner', ['subscriptions:read'])
    const table = (await owner.send('POST', `/subscriptions/export?${revenue}&${ofYear}`)).text.trim().split('\r\n')
    const [head = [], bia = []] = table.map((row) => row.split(','))
    const cells = ['email', 'monthly_amount', 'monthly_currency'].map((column) => bia[head.indexOf(column)])
    assert.deepEqual([table.length, ...cells], [2, 'bia@example.com', '3325', 'BRL'])
    for (const [query, fields] of [
      ['subscriptions?figure=mrr', { active_on: 'missing' }],
      ['subscriptions?active_on=2026-10-31&currency=USD', { figure: 'missing' }],
      [`transactions?plan_id=${product.id}`, { plan_id: 'no_such_plan' }],
    ] as const) {
      const refused = await script.get(`/${query}`)
      assert.deepEqual([refused.status, refused.json<{ fields: object }>().fields], [400, fields], query)
    }
    for (const wrong of ['subscriptions?active_on=2026-10-31&figure=net', 'transactions?plan_id=any', 'subscriptions?product_id=any'])
      assert.equal((await script.get(`/${wrong}`)).status, 400, wrong)
  })

  it('has each of two subscriptions of a buyer that were lost on one day under the plan with which it was lost', async () => {
    const { service } = await open()
    const script = await scriptOf(service, 'support')
    const planIds: string[] = []
    for (const slug of ['x', 'y'])
      planIds.push(await planStore(service.context.storage.db).put({ scope: OPERATOR_SCOPE, slug, name: slug, price: 4_900 }, NOW))
    const at = (time: string) => Date.parse(`${time}-03:00`)
    const pay = (plan: string, from: string, until: string) =>
      bring(service, {
        ...{ ref: 'ana', email: 'ana@example.com', plan, kind: 'paid', paymentId: from, amount: 4_900, method: 'card' },
        ...{ at: at(from), periodStart: at(from), periodEnd: at(until) },
      })
    const refund = (paymentId: string, time: string) => bring(service, { ref: 'ana', plan: 'x', kind: 'refunded', at: at(time), paymentId })
    await pay('x', '2026-10-01T12:00', '2026-11-01T12:00')
    await pay('y', '2026-10-10T12:00', '2026-11-10T12:00')
    for (const paymentId of ['2026-10-01T12:00', '2026-10-10T12:00']) await refund(paymentId, '2026-10-20T10:00')
    await pay('x', '2026-10-20T14:00', '2026-11-20T14:00')
    await refund('2026-10-20T14:00', '2026-10-20T16:00')
    const { figures, plans } = (await script.get('/reports/monthly?month=2026-10')).json<Parameters<typeof findUnlisted>[1]>()
    assert.deepEqual([figures.lost, ...plans.map((plan) => [plan.plan_slug, plan.figures.lost])], [2, ['x', 1], ['y', 1]])
    const numbers = async (query: string) => {
      const { data } = (await script.get(`/subscriptions?changed=lost&changed_since=2026-10-20T03:00:00Z${query}`)).json<{
        data: Array<{ id: string }>
      }>()
      return await Promise.all(data.map(async ({ id }) => (await script.get(`/subscriptions/${id}`)).json<{ number: number }>().number))
    }
    const [x, y] = planIds
    assert.deepEqual([await numbers(''), await numbers(`&plan_id=${x}`), await numbers(`&plan_id=${y}`)], [[1, 0], [1], [0]])
    // A subscription without a plan.
    const bob = { ref: 'bob', plan: 'x', planId: undefined, paymentId: 'bob', amount: 100 }
    await bring(service, { ...bob, kind: 'paid', at: at('2026-10-21T10:00') })
    await bring(service, { ...bob, kind: 'refunded', at: at('2026-10-22T10:00') })
    assert.deepEqual([await numbers(''), await numbers('&plan_id=none'), await numbers(`&plan_id=${x}`)], [[0, 1, 0], [0], [1]])
  })

  it('says of its lists whether purchases are missing that are still being counted', async () => {
    const { service } = await open()
    const script = await scriptOf(service, 'support')
    // So many that a reader does not wait for all of them.
    const buyers = Array.from({ length: 66 }, (_, i) => `buyer${i}@example.com`)
    const sell = (email: string) => notify(service.url, activated({ email, at: '2026-10-05T12:00:00Z', amount: 5_000 }))
    for (const { status } of await Promise.all(buyers.map(sell))) assert.equal(status, 200)
    const lists = ['/transactions?limit=100', '/subscriptions?limit=100&active_on=2026-10-31', '/subscriptions?limit=100&changed=new']
    const [first = '', ...others] = lists
    const ask = async (path: string) => {
      const { data, is_counting } = (await script.get(path)).json<{ data: object[]; is_counting?: boolean }>()
      return [data.length, is_counting]
    }
    assert.deepEqual(await ask(first), [64, true])
    for (const path of [first, ...others]) assert.deepEqual(await ask(path), [66, false], path)
    assert.deepEqual(await ask('/subscriptions?limit=100'), [66, undefined])
    const owner = await scriptOf(service, 'owner', ['subscriptions:read', 'reports:write'])
    assert.equal((await owner.send('PUT', '/reports/time-zone', { time_zone: 'America/Manaus' })).status, 200)
    const refused = await owner.send('POST', '/transactions/export')
    assert.deepEqual(
      [refused.status, refused.json<{ reason: string }>().reason, refused.headers.get('retry-after')],
      [409, 'still_counting', '10'],
    )
    assert.equal((await owner.send('POST', '/subscriptions/export')).status, 200)
  })

  it('has of a purchase in parts what was paid of it, part by part, in whatever order and from whomever it is known', async () => {
    const { service } = await open()
    const script = await scriptOf(service, 'viewer')
    const api = await startFakeApi()
    api.answers.set('/customers/cus_1', { id: 'cus_1', email: 'ana@example.com' })
    const DAYS = ['2026-08-10', '2026-09-10', '2026-10-12', '2026-11-10']
    const paidOn = (n: number) => ({ dueDate: DAYS[n], paymentDate: DAYS[n], clientPaymentDate: DAYS[n] })
    const of = { value: 33.3, billingType: 'BOLETO', installment: 'ins_1', customer: 'cus_1' }
    const part = (n: number, more: object = paidOn(n)) => charge(`pay_${n}`, { ...of, ...more })
    const third = part(3, { status: 'PENDING', dueDate: DAYS[3], paymentDate: null })
    api.answers.set('/payments', { data: [part(1), part(2), third], hasMore: false })
    const school = () => openSchool(service, 'asaas', { apiUrl: api.url })
    const send = async (to: Connected, event: string, about: ReturnType<typeof charge>) => {
      api.answers.set(`/payments/${about.id}`, about)
      assert.equal((await deliver(to, asaasEvent(event, about), { at: NOW })).status, 200)
      await until(async () => (await notificationsOf(service, to)).every(({ status }) => status === 'processed' || status === 'ignored'))
    }
    const pay = (to: Connected, n: number) => send(to, 'PAYMENT_RECEIVED', part(n))
    const own = async (to: Connected) => {
      const whose = { user_email: 'ana@example.com', product_id: to.product.product.id, plan_slug: 'curso' }
      const names = { gateway: 'asaas', gateway_payment_id: 'pay_1', payment_id: 'pedido-1', amount: 9_990 }
      const bought = later('subscription.renewed', { ...whose, ...names, at: '2026-09-10T12:00:00Z' })
      assert.equal((await notify(service.url, bought)).status, 200)
    }
    const reconciled = async (to: Connected) => {
      const account = (await createMerchantAccounts(service.context).findOf('asaas', to.product.product.id)) ?? assert.fail()
      await reconcile(account, Date.UTC(2026, 8, 1), { ...service.context, guardedFetch: fetch })
    }
    /** As events were kept when the first part counted as the whole. */
    const forget = async ({ product }: Connected) => {
      const { db } = service.context.storage
      const streams = db.selectFrom('event_streams').select('id').where('product_id', '=', product.product.id)
      const kept = { amount: 9_990, purchase_amount: null }
      await db.updateTable('subscription_events').set(kept).where('kind', '=', 'paid').where('stream_id', 'in', streams).execute()
    }
    const figures = async ({ product }: Connected) => {
      const months = ['2026-09', '2026-10', '2026-11'].map(async (month) => {
        const { plans } = (await script.get(`/reports/monthly?month=${month}`)).json<{
          plans: Array<{ product_id: string; figures: Record<string, number> }>
        }>()
        const { payments, received, refunded } = plans.find(({ product_id }) => product_id === product.product.id)?.figures ?? {}
        return [payments, received, refunded].map((figure) => figure ?? 0)
      })
      return Promise.all(months)
    }
    const [first, nothing, later32] = [
      [1, 3_330, 0],
      [0, 0, 0],
      [0, 3_330, 0],
    ] as const
    const usual = await school()
    await pay(usual, 1)
    assert.deepEqual(await figures(usual), [first, nothing, nothing])
    assert.equal((await askAccess(service, usual, 'ana@example.com')).active, true)
    const { data } = (await (await scriptOf(service, 'support')).get('/subscriptions')).json<{ data: Array<{ amount: number }> }>()
    assert.deepEqual(
      data.map(({ amount }) => amount),
      [9_990],
    )
    await pay(usual, 2)
    assert.deepEqual(await figures(usual), [first, later32, nothing])
    const ways: Array<Array<(to: Connected) => Promise<void>>> = [
      [(to) => pay(to, 2), (to) => pay(to, 1)],
      [(to) => pay(to, 1), (to) => pay(to, 1), (to) => pay(to, 2), reconciled, (to) => pay(to, 2)],
      [reconciled],
      [own, (to) => pay(to, 1), (to) => pay(to, 2)],
      [(to) => pay(to, 2), own, (to) => pay(to, 1), own],
      [(to) => pay(to, 1), (to) => pay(to, 2), forget, reconciled],
    ]
    for (const [number, way] of ways.entries()) {
      const to = await school()
      for (const step of way) await step(to)
      assert.deepEqual(await figures(to), [first, later32, nothing], `way ${number}`)
      assert.equal((await askAccess(service, to, 'ana@example.com')).active, true, `way ${number}`)
    }
    await send(usual, 'PAYMENT_REFUNDED', { ...part(2), status: 'REFUNDED', ...refundOn('2026-11-12') })
    assert.deepEqual(await figures(usual), [first, later32, [0, 0, 3_330]])
    assert.equal((await askAccess(service, usual, 'ana@example.com')).active, true)
  })

  it('is that of now where no month is named, and refuses what is no month', async () => {
    const { service, portaria } = await open()
    const script = await scriptOf(service, 'support')
    const { month, to } = (await script.get('/reports/monthly')).json<{ month: string; to: string }>()
    assert.deepEqual([month, to], ['2026-11', '2026-11-20'])
    assert.equal((await script.get('/reports/monthly?month=2026-13')).status, 400)
    assertRefused(await (await scriptOf(service, 'owner', ['users:read'])).get('/reports/monthly'), 403, 'nao permitido')
    const wrong = await portaria('report monthly --month October')
    assert.deepEqual([wrong.code, /Expected a month like 2026-10/.test(wrong.err)], [2, true])
    assert.equal((await portaria('report monthly --json --csv')).code, 2)
  })

  it('has the days of the zone that the operator sets, which stands in the audit log', async () => {
    const { portaria } = await open()
    assert.equal((await portaria('report zone')).out, 'Days are those of America/Sao_Paulo.\n')
    assert.deepEqual((await portaria('report zone america/manaus --json')).json, { time_zone: 'America/Manaus' })
    assert.equal((await portaria('report monthly --month 2026-10 --json')).json.time_zone, 'America/Manaus')
    const [entry] = (await portaria('audit list --action settings.set_time_zone --json')).json
    assert.deepEqual([entry.before, entry.after], [{ zone: 'America/Sao_Paulo' }, { zone: 'America/Manaus' }])
    assert.equal((await portaria('report zone Mars/Olympus')).code, 2)
  })

  it('has them by the API too, where only an owner sets the zone, and once', async () => {
    const { service, portaria } = await open()
    const owner = await scriptOf(service, 'owner', ['reports:write', 'overview:read'])
    const answer = await owner.send('PUT', '/reports/time-zone', { time_zone: 'america/manaus' })
    assert.deepEqual([answer.status, answer.json()], [200, { time_zone: 'America/Manaus' }])
    assert.equal((await owner.send('PUT', '/reports/time-zone', { time_zone: 'America/Manaus' })).status, 200)
    for (const path of ['/overview', '/me']) assert.equal((await owner.get(path)).json<{ time_zone: string }>().time_zone, 'America/Manaus')
    const entries = (await portaria('audit list --action settings.set_time_zone --json')).json
    assert.deepEqual([entries.length, entries[0].after, entries[0].actor], [1, { zone: 'America/Manaus' }, `token:${owner.id}`])
    const wrong = await owner.send('PUT', '/reports/time-zone', { time_zone: 'Mars/Olympus' })
    assert.deepEqual([wrong.status, wrong.json<{ fields: object }>().fields], [400, { time_zone: 'unknown_time_zone' }])
    assertRefused(await (await scriptOf(service, 'support')).send('PUT', '/reports/time-zone', { time_zone: 'UTC' }), 403, 'nao permitido')
  })
})

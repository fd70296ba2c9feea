import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Counts } from '../overview.ts'
import { compactOf, percentOf, textOf } from './formats.ts'
import { kindsOf } from './kinds.ts'
import { lists, listsOfRow } from './lists.ts'

const DAY_MS = 86_400_000
const noPayments = { payments: 0, payments_without_amount: 0 }
const plain = (text: string | undefined) => text?.replaceAll(/\s/g, ' ')

describe('The figures of the home', () => {
  it('are written in full, and short beside the grid', () => {
    assert.equal(plain(textOf(123_456, 'money', 'pt-BR')), 'R$ 1.234,56')
    assert.equal(plain(textOf(-990, 'money', 'pt-BR')), '-R$ 9,90')
    assert.equal(textOf(1_234, 'count', 'es'), '1234')
    assert.equal(plain(compactOf(120_000, 'money', 'pt-BR')), 'R$ 1,2 mil')
    assert.equal(plain(compactOf(50, 'money', 'pt-BR')), 'R$ 0,5')
    assert.equal(compactOf(1_500, 'count', 'en'), '1.5K')
  })

  it('differ by so much from the month before, where it had any', () => {
    assert.deepEqual(
      [percentOf(112, 100, 'en'), percentOf(50, 100, 'en'), percentOf(100, 100, 'en'), percentOf(-50, 100, 'en')],
      ['+12%', '-50%', '0%', '-150%'],
    )
    assert.deepEqual([percentOf(3, 0, 'en'), percentOf(3, -10, 'en'), percentOf(76, 1, 'en')], [undefined, undefined, undefined])
  })

  it('have the reasons of both periods, with those that were counted before there were any', () => {
    const counts = (failed_sign_ins: number, failed_sign_ins_by_kind: Record<string, number>): Counts => ({
      ...{ sign_ins: 0, sign_ins_by_method: {}, new_users: 0, failed_notifications: 0, dead_jobs: 0 },
      ...{ failed_sign_ins, failed_sign_ins_by_kind },
    })
    const days = [counts(3, { wrong_credentials: 2 }), counts(5, { wrong_credentials: 4, wrong_code: 1 })]
    assert.deepEqual(kindsOf(days, counts(7, { busy: 7 })), [
      { kind: 'wrong_credentials', now: 6, former: 0 },
      { kind: 'earlier', now: 1, former: 0 },
      { kind: 'wrong_code', now: 1, former: 0 },
      { kind: 'busy', now: 0, former: 7 },
    ])
    assert.deepEqual(kindsOf([counts(0, {})], counts(0, {})), [])
  })

  it('lead to lists with their filters', () => {
    const moments = { since: '2026-10-01T03:00:00.000Z', until: '2026-11-01T02:59:59.999Z' }
    const filterOf = (path = '') => JSON.parse(new URLSearchParams(path.split('?')[1]).get('filter') ?? '')
    assert.deepEqual(filterOf(lists.active('2026-10-31')), { active_on: '2026-10-31' })
    assert.deepEqual(filterOf(lists.mrr('2026-10-31')), { active_on: '2026-10-31', figure: 'mrr' })
    assert.deepEqual(filterOf(lists.transactions(moments, { figure: 'refunded' })), { figure: 'refunded', ...moments })
    assert.deepEqual(filterOf(lists.signIns(moments)), { sign_in: 'true', ...moments })
    const now = Date.now()
    const days = (ago: number) => new Date(now - ago * DAY_MS).toISOString()
    assert.equal(lists.failedSignIns({ since: days(60), until: days(31) }), undefined)
    assert.deepEqual(filterOf(lists.failedSignIns({ since: days(20), until: days(0) })), { since: days(20), until: days(0) })
    const partly = filterOf(lists.failedSignIns({ since: days(45), until: days(15) })) as { since: string }
    assert.ok(Math.abs(Date.parse(partly.since) - Date.parse(days(30))) < DAY_MS / 24, 'rows are kept for thirty days')
    assert.deepEqual(filterOf(lists.newUsers(moments)), { created_since: moments.since, created_until: moments.until })
    assert.deepEqual(filterOf(lists.notifications(moments, { status: 'failed' })), { status: 'failed', stuck: 'true', ...moments })
  })

  it('lead from the row of a plan or of a currency to the part of it, where there is such a list', () => {
    const moments = { since: '2026-10-01T03:00:00.000Z', until: '2026-11-01T02:59:59.999Z' }
    const nothing = { active: 0, mrr: 0, new: 0, lost: 0, received: 0, refunded: 0, lost_in_disputes: 0, refunds: 0, ...noPayments }
    const all = { ...nothing, active: 1, mrr: 1, new: 1, lost: 1, received: 1, payments: 1 }
    const filtersOf = (row: Parameters<typeof listsOfRow>[1], figures = all) =>
      Object.entries(listsOfRow({ to: '2026-10-31', moments }, row, figures)).map(([name, path]) => [
        `${name} ${path?.split('?')[0] ?? 'nowhere'}`,
        path && JSON.parse(new URLSearchParams(path.split('?')[1]).get('filter') ?? ''),
      ])
    const [of, changed] = [
      { plan_id: 'p1', product_id: 'none' },
      { changed_since: moments.since, changed_until: moments.until },
    ]
    assert.deepEqual(filtersOf({ of: { plan_id: 'p1', product_id: null } }), [
      ['active /subscriptions', { active_on: '2026-10-31', ...of }],
      ['mrr /subscriptions', { active_on: '2026-10-31', figure: 'mrr', ...of }],
      ['new /subscriptions', { changed: 'new', ...changed, ...of }],
      ['lost /subscriptions', { changed: 'lost', ...changed, ...of }],
      ['received /transactions', { figure: 'received', ...moments, ...of }],
      ['net /transactions', { ...moments, ...of }],
    ])
    assert.deepEqual(filtersOf({ currency: 'USD' }), [
      ['active nowhere', undefined],
      ['mrr /subscriptions', { active_on: '2026-10-31', figure: 'mrr', currency: 'USD' }],
      ['new nowhere', undefined],
      ['lost nowhere', undefined],
      ['received /transactions', { figure: 'received', currency: 'USD', ...moments }],
      ['net /transactions', { currency: 'USD', ...moments }],
    ])
    // Of nothing there is no list; what is left has one where it was received and given back.
    const named = (figures: typeof all) =>
      filtersOf({ of: { plan_id: 'p1', product_id: null } }, figures).flatMap(([name, filter]) => (filter ? [name] : []))
    assert.deepEqual(named(nothing), [])
    for (const part of ['refunded', 'lost_in_disputes'] as const) assert.deepEqual(named({ ...nothing, [part]: 1 }), ['net /transactions'])
    assert.deepEqual(named({ ...nothing, received: 1, refunded: 1 }), ['received /transactions', 'net /transactions'])
    // Of an amount that nobody states, and of one that was noted by mistake.
    for (const name of ['payments', 'payments_without_amount'] as const)
      assert.deepEqual(named({ ...nothing, [name]: 1 }), ['received /transactions', 'net /transactions'])
    assert.deepEqual(named({ ...nothing, refunds: 1 }), ['net /transactions'])
    for (const name of ['active', 'mrr', 'new', 'lost'] as const)
      assert.deepEqual(named({ ...nothing, [name]: 1 }), [`${name} /subscriptions`])
  })
})

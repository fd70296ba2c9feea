import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Filter } from '../filters/filter.ts'
import { isSameView, keptFilter, parseViews, viewPath, withView } from './view.ts'

const sort = { field: 'created_at', order: 'DESC' } as const
const lapsed = { name: 'Lapsed', filter: { state: 'past_due' }, sort }

it('a view keeps what was chosen, and no text that somebody typed', () => {
  const filters: Filter[] = [
    { name: 'email', label: 'Buyer', kind: 'text' },
    { name: 'state', label: 'State', kind: 'choice', choices: [] },
    { name: 'since', label: 'Since', kind: 'from' },
  ]
  assert.deepEqual(
    keptFilter({ email: 'ana@example.com', state: 'active', since: '2026-11-01T03:00:00.000Z', of_tomorrow: 'x' }, filters),
    {
      state: 'active',
      since: '2026-11-01T03:00:00.000Z',
    },
  )
})

it('a view with a name that is there takes its place, and names are in order', () => {
  const [first, second] = [
    { ...lapsed, name: 'B' },
    { ...lapsed, name: 'A' },
  ]
  const views = withView(withView([], first), second)
  assert.deepEqual(
    views.map(({ name }) => name),
    ['A', 'B'],
  )
  assert.deepEqual(withView(views, { ...first, filter: {} })[1]?.filter, {})
})

it('a view is an address, and known again by its filters and order', () => {
  assert.equal(
    viewPath('subscriptions', lapsed),
    '/subscriptions?filter=%7B%22state%22%3A%22past_due%22%7D&sort=created_at&order=DESC&page=1',
  )
  assert.ok(isSameView(lapsed, { filter: { state: 'past_due' }, sort }))
  assert.ok(!isSameView(lapsed, { filter: { state: 'past_due' }, sort: { ...sort, order: 'ASC' } }))
  assert.ok(!isSameView(lapsed, { filter: {}, sort }))
})

it('whatever else the browser has kept is no view', () => {
  assert.deepEqual(parseViews([lapsed, null, 'x', { name: '' }, { ...lapsed, filter: { state: 1 } }, { ...lapsed, sort: {} }]), [lapsed])
  for (const kept of [undefined, null, 'x', {}, 3]) assert.deepEqual(parseViews(kept), [])
})

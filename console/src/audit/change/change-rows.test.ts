import assert from 'node:assert/strict'
import { it } from 'node:test'
import { changeRows } from './change-rows.ts'

const inShort = (...change: Parameters<typeof changeRows>) =>
  changeRows(...change).map(({ names, before, after, isChanged }) => [names.join(' '), before, after, isChanged])

it('a change of some fields of a record shows what was there, what is, and what stayed', () => {
  const before = { id: '1', name: 'Loja', belowPrice: 'apply', openid: { kind: 'web', postLogoutUris: [] } }
  const after = { name: 'Livraria', openid: { kind: 'web', postLogoutUris: ['https://a.example/'] } }
  assert.deepEqual(inShort(before, after), [
    ['name', 'Loja', 'Livraria', true],
    ['openid kind', 'web', 'web', false],
    ['openid post_logout_uris', [], ['https://a.example/'], true],
    ['id', '1', '1', false],
    ['below_price', 'apply', 'apply', false],
  ])
})

it('what was made has nothing before, what was removed nothing after', () => {
  assert.deepEqual(inShort(null, { key: 'eg_1…', scopes: [] }), [
    ['key', undefined, 'eg_1…', true],
    ['scopes', undefined, [], true],
  ])
  assert.deepEqual(inShort({ url: 'https://a.example/' }, null), [['url', 'https://a.example/', undefined, true]])
  assert.deepEqual(inShort(null, null), [])
})

it('a field that was emptied is a change; one that was empty and is, is none', () => {
  assert.deepEqual(inShort({ phone: '+55', company_name: null }, { phone: null, company_name: null }), [
    ['phone', '+55', null, true],
    ['company_name', null, null, false],
  ])
})

it('hidden values count as changed: they may differ', () => {
  assert.deepEqual(inShort({ name: '•••', types: ['•••'] }, { name: '•••', types: ['•••'] }), [
    ['name', '•••', '•••', true],
    ['types', ['•••'], ['•••'], true],
  ])
})

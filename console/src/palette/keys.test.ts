import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readKey } from './keys.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false }
const outside = { isTyping: false, isWaiting: false, areOn: true }
const read = (key: string, state: Partial<typeof outside> = {}, held: Partial<typeof plain> = {}) =>
  readKey({ key, ...plain, ...held }, { ...outside, ...state })

it('letters are keys outside of fields, and text inside', () => {
  assert.deepEqual(
    ['j', 'k', '?', '/', 'g', 'x'].map((key) => read(key)?.does),
    ['next', 'previous', 'help', 'search', 'wait', undefined],
  )
  for (const key of ['j', 'k', '?', '/', 'g', 'u']) assert.equal(read(key, { isTyping: true }), undefined)
})

it('Ctrl or ⌘ K opens the palette, in fields too; with Alt it is another one', () => {
  for (const held of [{ ctrlKey: true }, { metaKey: true }])
    for (const isTyping of [true, false]) assert.deepEqual(read('k', { isTyping }, held), { does: 'palette' })
  assert.equal(read('k', {}, { ctrlKey: true, altKey: true }), undefined)
  assert.equal(read('j', {}, { ctrlKey: true }), undefined)
})

it('after g a letter leads to a page, and any other does nothing', () => {
  assert.deepEqual(read('u', { isWaiting: true }), { does: 'go', to: '/users' })
  assert.deepEqual(read('w', { isWaiting: true }), { does: 'go', to: '/notifications' })
  for (const key of ['j', '?', 'x', 'constructor']) assert.equal(read(key, { isWaiting: true }), undefined)
  assert.equal(read('u'), undefined)
})

it('single keys can be switched off; the search and the palette stay', () => {
  for (const key of ['j', 'k', '?', 'g']) assert.equal(read(key, { areOn: false }), undefined)
  assert.deepEqual(read('/', { areOn: false }), { does: 'search' })
  assert.deepEqual(read('k', { areOn: false }, { ctrlKey: true }), { does: 'palette' })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { returnPageOf } from './return-page.ts'

describe('The way back after a sign-in', () => {
  const to = (path: string, query = '') => returnPageOf(path, new URLSearchParams(query))

  it('is the page that was asked for, with what it reads of its address', () => {
    assert.deepEqual(to('/account/sessions', 'cursor=c&lang=en'), { page: '/account/sessions', query: { cursor: 'c', lang: 'en' } })
    assert.deepEqual(to('/account/passkeys/change', 'id=k'), { page: '/account/passkeys/change', query: { id: 'k' } })
    assert.deepEqual(to('/account'), { page: '/account', query: {} })
  })

  it('is the page of the form that was posted, without its address', () => {
    for (const path of ['/account/sessions/end', '/account/sessions/end-others'])
      assert.deepEqual(to(path, 'cursor=c'), { page: '/account/sessions', query: {} })
    assert.deepEqual(to('/account/passkeys/remove'), { page: '/account/passkeys', query: {} })
  })

  it('is one of our own pages whatever was asked for, and takes nothing along that they don’t read', () => {
    for (const path of ['//evil.example/account', '/accounting', '/account/../admin', '/login', ''])
      assert.deepEqual(to(path), { page: '/account', query: {} }, path)
    assert.deepEqual(to('/account/data', `next=x&saved=1&id=${'x'.repeat(1_365)}`).query, {})
  })
})

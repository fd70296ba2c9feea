import assert from 'node:assert/strict'
import { it } from 'node:test'
import { questionOf } from './raw-headers.ts'

it('Host and cookie are read in any spelling of their names, and not at all where one is doubled', () => {
  const host = ['X-Forwarded-Host', 'wiki.example.com']
  const cookie = ['Cookie', 'a=b']
  const nothing = { name: undefined, cookie: undefined }
  assert.deepEqual(questionOf(['Host', 'x', ...host, 'X-Forwarded-Port', '443', ...cookie]), { name: 'wiki.example.com', cookie: 'a=b' })
  assert.deepEqual(questionOf(['x-forwarded-HOST', 'w', 'COOKIE', 'c']), { name: 'w', cookie: 'c' })
  assert.deepEqual(questionOf(host), { ...nothing, name: 'wiki.example.com' })
  for (const headers of [[], [...host, ...host], [...host, ...cookie, ...cookie], ['X-Forwarded-Host-', 'w', 'Cookie2', 'c']])
    assert.deepEqual(questionOf(headers), nothing)
})

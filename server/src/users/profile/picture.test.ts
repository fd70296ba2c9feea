import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPicturePath } from './picture.ts'

const BASE = 'https://sso.example.com'
const NAME = 'a'.repeat(32)

test('a page shows a picture of ours, and nothing that only begins like one', () => {
  const path = (avatarUrl: string | undefined) => ownPicturePath({ avatarUrl }, BASE)
  assert.equal(path(`${BASE}/assets/pictures/${NAME}.png`), `/assets/pictures/${NAME}.png`)
  for (const other of [
    undefined,
    '',
    `https://evil.example/assets/pictures/${NAME}.png`,
    `${BASE}/assets/pictures/../../auth/signout`,
    `${BASE}/assets/pictures/..%2f..%2fauth/signout`,
    `${BASE}/assets/pictures/${NAME}.png?x`,
    `${BASE}/assets/pictures/${NAME}.png/../../../auth/signout`,
    `${BASE}/assets/pictures/${NAME}.svg`,
    `${BASE}/assets/pictures/`,
    `${BASE}.evil.example/assets/pictures/${NAME}.png`,
  ])
    assert.equal(path(other), undefined, other)
})

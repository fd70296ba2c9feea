import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isHref, ownHref } from './href.ts'

describe('An address of a page', () => {
  it('is a path of this service or an absolute one of the web, as every browser reads it', () => {
    for (const address of ['/', '/account?lang=en#top', '/a//b', 'https://app.example/x?y=/\u{e9}', 'http://localhost:3000/'])
      assert.ok(isHref(address), address)
  })

  it('has nothing that browsers drop, or read as a slash: neither leads to another host', () => {
    for (const address of [
      ...[
        '//evil.example',
        '/\\evil.example',
        '\\/evil.example',
        '\\\\evil.example',
        '/a\\b',
        'https:\\\\evil.example/',
        'https://app.example\\x',
      ],
      ...['/\t/evil.example', '/\n/evil.example', '/\r/evil.example', '/\u{0}', '/a b', '/\u{85}', '/\u{a0}x', ' /account'],
      ...['', 'account', 'javascript:alert(1)', 'data:text/html,x', 'https:evil.example', 'https://', 'ftp://app.example/'],
    ])
      assert.equal(isHref(address), false, JSON.stringify(address))
  })

  it('of our own is made with its query written out, and of no path of another host', () => {
    assert.equal(ownHref('/login', { next: '//evil.example\\', none: undefined }), '/login?next=%2F%2Fevil.example%5C')
    for (const path of ['//evil.example', '/\\evil.example', '/a b'] as const) assert.throws(() => ownHref(path), /no path of this service/)
  })
})

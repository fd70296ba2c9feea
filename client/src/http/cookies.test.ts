import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { listCookies, readCookies, writeCookie } from './cookies.ts'

const name = fc.stringMatching(/^[\w-]{1,8}$/)
const value = fc.stringMatching(/^[\w.=-]{0,12}$/)

describe('Cookies', () => {
  it('of a name are found, all of them, in order, among any others', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.oneof(name, fc.constantFrom('eg_session', 'x-eg_session', 'eg_session2')), value)),
        fc.constantFrom('; ', ';', ';  '),
        (pairs, gap) => {
          const header = pairs.map((pair) => pair.join('=')).join(gap)
          const expected = pairs.filter(([one]) => one === 'eg_session').map(([, its]) => its)
          assert.deepEqual(readCookies(header, 'eg_session'), expected)
          const firsts = new Map(pairs.filter(([one]) => one.startsWith('eg_')).reverse())
          assert.deepEqual(listCookies(header, 'eg_', 99), new Map([...firsts].reverse()))
          assert.equal(listCookies(header, 'eg_', 1).size, Math.min(1, firsts.size))
        },
      ),
    )
  })

  it('can’t be hidden in the value of another', () => {
    for (const [header, found] of [
      [null, []],
      ['', []],
      ['eg_session', []],
      ['a=eg_session=x', []],
      ['a="; eg_session=x"', ['x"']],
      ['xeg_session=x; eg_sessionx=y', []],
      ['EG_SESSION=x', []],
      ['eg_session=x=y', ['x=y']],
      [' eg_session=x ;eg_session=y', ['x', 'y']],
      ['eg_session=; eg_session=z', ['', 'z']],
    ] as const) {
      assert.deepEqual(readCookies(header, 'eg_session'), found, String(header))
    }
  })

  it('are of this host alone and out of reach of scripts', () => {
    assert.equal(writeCookie('a', 'b', { maxAge: 5, isHttps: true }), 'a=b; Path=/; Max-Age=5; HttpOnly; SameSite=Lax; Secure')
    assert.equal(writeCookie('a', '', { maxAge: 0, isHttps: false }), 'a=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
  })
})

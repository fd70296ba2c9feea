import assert from 'node:assert/strict'
import process from 'node:process'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { beginAttempt, endAttempt, maxHops } from './attempt.ts'

/** A browser that keeps these cookies as a browser does. */
function browser(isHttps: boolean, port = 4001) {
  const clock = { now: 1_000_000 }
  const place = {
    isHttps,
    now: () => clock.now,
    appOrigin: isHttps ? 'https://app.example' : `http://localhost:${port}`,
    authPath: '/auth',
  }
  const cookies = new Map<string, string>()
  const header = () => [...cookies].map((pair) => pair.join('=')).join('; ') || null
  const keep = (lines: readonly string[]) => {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (line.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
  }
  return {
    clock,
    cookies,
    begin(returnTo: string, hops = 0) {
      const { state, setCookies } = beginAttempt({ returnTo, hops }, header(), place)
      keep(setCookies)
      return state
    },
    end(state: string | null) {
      const ended = endAttempt(state, header(), place)
      if (ended) keep([ended.setCookie])
      return ended?.attempt
    },
    hops: () => maxHops(header(), place, 15),
  }
}

describe('An attempt', () => {
  it('ends with what it was begun with, once, in any order among others, and in no other browser', () => {
    const order = fc.uniqueArray(fc.nat({ max: 7 }), { maxLength: 8 })
    fc.assert(
      fc.property(
        fc.array(fc.webPath({ size: 'small' }), { minLength: 1, maxLength: 8 }),
        order,
        fc.boolean(),
        (paths, finishing, isHttps) => {
          const [own, other] = [browser(isHttps), browser(isHttps)]
          const states = paths.map((path, hops) => own.begin(path, hops))
          other.begin('/other')
          for (const tab of finishing) {
            const state = states[tab]
            if (state === undefined) continue
            assert.equal(other.end(state), undefined)
            assert.deepEqual(own.end(state), { returnTo: paths[tab], hops: tab })
            assert.equal(own.end(state), undefined)
          }
        },
      ),
    )
  })

  it('ends by its own state alone', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w-]{8}\.[\w-]{24}$/)), (guess) => {
        const own = browser(true)
        const state = own.begin('/x')
        if (guess !== state) assert.equal(own.end(guess), undefined)
        const at = state.length - 1 - (guess.length % 20)
        const altered = state.slice(0, at) + (state[at] === 'a' ? 'b' : 'a') + state.slice(at + 1)
        assert.equal(own.end(altered), undefined)
        assert.ok(own.end(state))
      }),
    )
  })

  it('is open for half an hour', () => {
    const own = browser(false)
    const [one, other] = [own.begin('/x'), own.begin('/x')]
    own.clock.now += 1_800_000
    assert.ok(own.end(one))
    own.clock.now += 1
    assert.equal(own.end(other), undefined)
  })

  it('is one of eight and of three thousand characters at most, whichever is less; the newest is always there', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1024 }), { minLength: 1, maxLength: 25 }), (lengths) => {
        const own = browser(true)
        let last = ''
        for (const length of lengths) {
          own.clock.now += 1
          last = own.begin(`/${'x'.repeat(length)}`)
        }
        assert.ok(own.cookies.size <= 8)
        const characters = [...own.cookies].reduce((sum, [name, value]) => sum + name.length + value.length, 0)
        assert.ok(characters <= 3_100, String(characters))
        assert.ok(own.end(last))
      }),
    )
  })

  it('is distinguished from whatever else stands in a cookie of its name', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.stringMatching(/^[\w.-]{0,60}$/),
          fc.json().map((text) => Buffer.from(text).toString('base64url')),
        ),
        (value) => {
          const own = browser(true)
          own.cookies.set('__Host-portaria_attempt_abcdefgh', value)
          assert.equal(own.end(`abcdefgh.${'x'.repeat(24)}`), undefined)
          assert.equal(own.hops(), 0)
          assert.ok(own.end(own.begin('/x')))
        },
      ),
    )
  })

  it('is found among twenty at most, however many a neighbour has planted, and as many are removed', () => {
    const own = browser(false)
    for (let at = 0; at < 3_000; at++) own.cookies.set(`portaria_attempt_${at}`, 'e')
    const header = [...own.cookies].map((pair) => pair.join('=')).join('; ')
    const before = process.threadCpuUsage()
    const state = own.begin('/x')
    const { user, system } = process.threadCpuUsage(before)
    assert.ok(user + system < 100_000, 'in a time that grows with the header, not with its square')
    assert.ok(header.length > 60_000)
    assert.equal(3_001 - own.cookies.size, 13, 'of the twenty, seven may stay beside the new one')
    assert.equal(own.end(state)?.returnTo, '/x')
  })

  it('is of one callback address: another port of the host ends it not, nor counts its hops', () => {
    const [own, neighbour] = [browser(false), browser(false, 4002)]
    const state = neighbour.begin('/x', 1)
    for (const [name, value] of neighbour.cookies) own.cookies.set(name, value)
    assert.equal(own.hops(), 0)
    assert.equal(own.end(state), undefined)
    assert.ok(neighbour.end(state))
  })

  it('knows how often it was sent on its way', () => {
    const own = browser(true)
    assert.equal(own.hops(), 0)
    own.begin('/x', 1)
    own.begin('/y', 0)
    assert.equal(own.hops(), 1)
  })
})

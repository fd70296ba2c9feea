import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PortariaError } from './error.ts'
import { type PortariaOptions, readSettings } from './settings.ts'

const GOOD = { url: 'https://sso.example', appUrl: 'https://app.example' }

function faultsOf(options: PortariaOptions, environment: Record<string, string> = {}): string[] {
  try {
    readSettings(options, environment)
    return []
  } catch (fault) {
    assert.ok(fault instanceof PortariaError)
    assert.equal(fault.code, 'configuration')
    return fault.message.split('\n')
  }
}

describe('The settings', () => {
  it('N8: that are missing say how .env reaches a server, by Node and by Vite', () => {
    assert.match(
      faultsOf({})[0] ?? '',
      /^PORTARIA_URL is missing: .*node reads \.env by --env-file=\.env; Vite keeps it from the server: give the values as options/,
    )
  })

  it('come from the options, and from the environment where these say nothing', () => {
    const environment = {
      PORTARIA_URL: 'https://sso.example/',
      PORTARIA_APP_URL: 'https://app.example/shop/',
      PORTARIA_API_KEY: 'sk_1',
      PORTARIA_PUBLISHABLE_KEY: 'pk_1',
      PORTARIA_COOKIE_SECRET: 'x'.repeat(32),
    }
    const read = readSettings({}, environment)
    assert.deepEqual(
      [read.url, read.appOrigin, read.appPath, read.apiKey, read.publishableKey, read.cookieSecret, read.isHttps],
      ['https://sso.example', 'https://app.example', '/shop', 'sk_1', 'pk_1', 'x'.repeat(32), true],
    )
    assert.deepEqual([read.authPath, read.sessionPath, read.cookieName], ['/shop/auth', '/shop/api/auth/session', '__Host-eg_session'])
    assert.deepEqual([read.confirmEveryMs, read.accessMs, read.timeoutMs], [60_000, 30_000, 5_000])
    const given = readSettings({ ...GOOD, url: 'https://other.example', apiKey: 'sk_2' }, environment)
    assert.deepEqual([given.url, given.apiKey], ['https://other.example', 'sk_2'])
    assert.equal(readSettings({ ...GOOD, apiKey: '', productId: '' }, {}).apiKey, undefined)
    assert.equal(readSettings({ ...GOOD, productId: '' }, {}).productId, undefined)
  })

  it('name every fault at once, where it is and what is expected', () => {
    assert.deepEqual(faultsOf({}), [
      'PORTARIA_URL is missing: the address of Portaria, as in https://sso.example.com (node reads .env by --env-file=.env; Vite keeps it from the server: give the values as options)',
      'PORTARIA_APP_URL is missing: the address of this app, as in https://app.example.com',
    ])
    const bad: PortariaOptions = {
      url: 'sso.example',
      appUrl: 'ftp://app.example',
      apiKey: 'pk_1',
      publishableKey: 'sk_1',
      cookieSecret: 'short',
      authPath: 'auth/',
      sessionPath: '//evil.example',
      cookieName: 'a;b',
      confirmEverySeconds: -1,
      accessSeconds: Number.NaN,
      timeoutMs: 0.5,
    }
    const faults = faultsOf(bad)
    const named = [
      '`url`',
      '`appUrl`',
      '`cookieSecret`',
      '`cookieName`',
      '`timeoutMs`',
      '`apiKey`',
      '`publishableKey`',
      '`authPath`',
      '`sessionPath`',
    ]
    for (const name of [...named, '`confirmEverySeconds`', '`accessSeconds`']) {
      assert.equal(faults.filter((one) => one.includes(name)).length, 1, name)
    }
    assert.equal(faults.length, 11)
    assert.ok(!faults.join().includes('sk_1'), 'a key that stands in the wrong place is not repeated')
    assert.equal(faultsOf({ publishableKey: 'pk_1' }).length, 3, 'a missing secret key is named together with the rest')
  })

  it('keep the session in a cookie that no other host can set, where an external app is on https', () => {
    const nameOf = (options: PortariaOptions) => readSettings({ ...GOOD, ...options }, {}).cookieName
    const external = { apiKey: 'sk_1', publishableKey: 'pk_1' }
    assert.equal(nameOf(external), '__Host-eg_session')
    assert.equal(nameOf({ apiKey: 'sk_1' }), 'eg_session', 'the domain’s, for an internal app')
    assert.equal(nameOf({ ...external, appUrl: 'http://localhost:3000' }), 'eg_session', 'which is all that http has')
    assert.equal(nameOf({ ...external, cookieName: 'eg_session' }), 'eg_session')
  })

  it('name options that are none, or of another type', () => {
    const given = { ...GOOD, confirmEverySeconds: '60', apikey: 'sk_1', apiKey: null, fetch: 'fetch', toString: 1, timeoutMs: undefined }
    assert.throws(
      () => Reflect.apply(readSettings, undefined, [given, {}]),
      (fault: unknown) => {
        assert.ok(fault instanceof PortariaError)
        assert.deepEqual(fault.message.split('\n'), [
          '`confirmEverySeconds` must be a number',
          '`apikey` is no option',
          '`apiKey` must be a string',
          '`fetch` must be a function',
          '`toString` is no option',
        ])
        return true
      },
    )
  })

  it('tell a key with a line break or a space from one that Portaria does not know, and repeat nothing of it', () => {
    for (const apiKey of ['sk_1\n', 'sk_1 ', 'sk_1\r', 'sk_é', 'sk_1\u200b'])
      assert.deepEqual(faultsOf({ ...GOOD, apiKey }), ['`apiKey` has a line break, a space or a special letter'])
    assert.deepEqual(faultsOf({ ...GOOD }, { PORTARIA_API_KEY: 'sk_1\n' }), [
      'PORTARIA_API_KEY has a line break, a space or a special letter',
    ])
  })

  it('refuse each of these', () => {
    for (const options of [
      { url: 'https://sso.example/path' },
      { url: 'https://sso.example?x' },
      { url: 'https://user@sso.example' },
      { url: 'javascript:alert(1)' },
      { appUrl: 'https://app.example/#x' },
      { appUrl: 'http://app.example', cookieName: '__Host-eg_session' },
      { confirmEverySeconds: 3601 },
      { timeoutMs: 0 },
      { timeoutMs: 60_001 },
      { authPath: '/' },
      { authPath: '/auth/' },
      { publishableKey: 'pk_1' },
    ]) {
      assert.equal(faultsOf({ ...GOOD, ...options }).length, 1, JSON.stringify(options))
    }
    assert.deepEqual(faultsOf({ ...GOOD, cookieName: '__Host-eg_session', confirmEverySeconds: 0, timeoutMs: 1 }), [])
  })
})

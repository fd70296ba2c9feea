import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { signOutTarget } from './redirect-target.ts'
import { parseRedirectUri } from './redirect-uri.ts'

const TAKEN = [
  'https://app.exemplo.com.br/callback',
  'https://app.exemplo.com.br/',
  'https://app.exemplo.com.br/callback?tenant=7&empty=',
  'https://app.exemplo.com.br:8443/a/b/c',
  'http://localhost:3000/callback',
  'http://127.0.0.1/callback',
  'http://127.8.9.1:81/callback',
  'http://[::1]:3000/callback',
  'https://xn--mnchen-3ya.de/callback',
  'https://app.exemplo.com.br/%7Eana/caf%C3%A9',
]

const REFUSED = [
  ['', 'malformed'],
  ['/callback', 'malformed'],
  ['app.exemplo.com.br/callback', 'malformed'],
  ['https://', 'malformed'],
  ['https://app.exemplo.com.br/call back', 'malformed'],
  ['https://app.exemplo.com.br/call\tback', 'malformed'],
  ['https://app.exemplo.com.br/\ncallback', 'malformed'],
  [' https://app.exemplo.com.br/callback', 'malformed'],
  ['https:\\\\app.exemplo.com.br/callback', 'malformed'],
  ['https://app.exemplo.com.br\\@evil.example/', 'malformed'],
  ['https://app.exemplo.com.br/\u0000', 'malformed'],
  ['http://app.exemplo.com.br/callback', 'scheme'],
  ['http://localhost.evil.example/callback', 'scheme'],
  ['http://127.0.0.1.evil.example/callback', 'scheme'],
  ['http://10.0.0.1/callback', 'scheme'],
  ['ftp://app.exemplo.com.br/', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['data:text/html,x', 'scheme'],
  ['com.exemplo.app:/callback', 'scheme'],
  ['//app.exemplo.com.br/callback', 'malformed'],
  ['https://ana@app.exemplo.com.br/', 'userinfo'],
  ['https://ana:senha@app.exemplo.com.br/', 'userinfo'],
  ['https://@app.exemplo.com.br/', 'userinfo'],
  ['https://app.exemplo.com.br/callback#', 'fragment'],
  ['https://app.exemplo.com.br/callback#inside', 'fragment'],
  ['https://*.exemplo.com.br/callback', 'wildcard'],
  ['https://app.exemplo.com.br/*', 'wildcard'],
  ['https://app.exemplo.com.br./callback', 'host'],
  ['https://app.exemplo.com.br/callback?eg_session=x', 'reserved_parameter'],
  ['https://app.exemplo.com.br/callback?a=1&eg_token', 'reserved_parameter'],
  ['https://app.exemplo.com.br/callback?%73tate=x', 'reserved_parameter'],
  [`https://app.exemplo.com.br/${'a'.repeat(1_000)}`, 'too_long'],
] as const

const NOT_NORMAL = [
  ['https://app.exemplo.com.br', 'https://app.exemplo.com.br/'],
  ['https://APP.exemplo.com.br/', 'https://app.exemplo.com.br/'],
  ['HTTPS://app.exemplo.com.br/', 'https://app.exemplo.com.br/'],
  ['https://app.exemplo.com.br:443/', 'https://app.exemplo.com.br/'],
  ['https://app.exemplo.com.br/a/../b', 'https://app.exemplo.com.br/b'],
  ['https://app.exemplo.com.br/a/%2e%2e/b', 'https://app.exemplo.com.br/b'],
  ['https://münchen.de/', 'https://xn--mnchen-3ya.de/'],
  ['https:app.exemplo.com.br/', 'https://app.exemplo.com.br/'],
  ['https:///app.exemplo.com.br/', 'https://app.exemplo.com.br/'],
  ['http://2130706433/', 'http://127.0.0.1/'],
  ['https://app.exemplo.com.br/é', 'https://app.exemplo.com.br/%C3%A9'],
] as const

describe('A redirect URI', () => {
  for (const uri of TAKEN) it(`is registered as it stands: ${uri}`, () => assert.deepEqual(parseRedirectUri(uri), { uri }))
  for (const [uri, refusal] of REFUSED) {
    it(`is refused (${refusal}): ${JSON.stringify(uri.slice(0, 80))}`, () => assert.deepEqual(parseRedirectUri(uri), { refusal }))
  }
  for (const [uri, use] of NOT_NORMAL) {
    it(`is refused with the form to use instead: ${uri}`, () => assert.deepEqual(parseRedirectUri(uri), { refusal: 'not_normal', use }))
  }

  it('that is registered is its own normal form, https or loopback, and leads to the host it shows', () => {
    const piece = fc.constantFrom(
      'https:',
      'http:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      '.',
      '#',
      '?',
      '*',
      'localhost',
      'a.com',
      'evil.example',
      '%2e',
      ' ',
      '\t',
      '443',
    )
    const text = fc.oneof(
      fc.webUrl({ withQueryParameters: true }),
      fc.array(piece, { maxLength: 9 }).map((pieces) => `https://${pieces.join('')}`),
    )
    fc.assert(
      fc.property(text, (candidate) => {
        const parsed = parseRedirectUri(candidate)
        if (!('uri' in parsed)) return
        const url = new URL(parsed.uri)
        assert.equal(parsed.uri, candidate)
        assert.equal(url.href, candidate)
        assert.ok(candidate.startsWith(`${url.protocol}//${url.host}/`))
        assert.ok(url.protocol === 'https:' || ['localhost', '127.0.0.1'].includes(url.hostname))
      }),
      { numRuns: 500 },
    )
  })

  it('whose better form is named can be registered in that form, where nothing else is wrong', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }), (candidate) => {
        const parsed = parseRedirectUri(candidate)
        if ('use' in parsed && parsed.use !== undefined) assert.deepEqual(parseRedirectUri(parsed.use), { uri: parsed.use })
      }),
    )
  })
})

describe('The target of a sign-out', () => {
  const domain = { origins: new Set(['https://loja.example']), cookieDomain: 'exemplo.com.br', baseUrl: 'https://sso.exemplo.com.br' }
  const led = (text: string) => signOutTarget(text, domain)

  it("may be any address on a registered URI's origin or on the internal domain", () => {
    for (const uri of ['https://loja.example/', 'https://loja.example/x?y=1', 'https://exemplo.com.br/', 'https://app.exemplo.com.br/out'])
      assert.equal(led(uri), uri)
  })

  it('may be nothing else', () => {
    for (const uri of [
      '',
      '/account',
      '//evil.example',
      'https://evil.example/',
      'https://loja.example.evil.example/',
      'https://evilexemplo.com.br/',
      'https://exemplo.com.br.evil.example/',
      'http://app.exemplo.com.br/',
      'https://loja.example:444/',
      'http://loja.example/',
      'https://ana@app.exemplo.com.br/',
      'https://app.exemplo.com.br\\@evil.example/',
      'https://evil.example\\.exemplo.com.br/',
      'javascript:alert(1)//exemplo.com.br',
      ' https://app.exemplo.com.br/',
      'https://app.exemplo.com.br/\n',
    ]) {
      assert.equal(led(uri), undefined, uri)
    }
  })

  it('may be http on the internal domain where the service itself is http', () => {
    const local = { origins: new Set<string>(), cookieDomain: undefined, baseUrl: 'http://localhost:3000' }
    assert.equal(signOutTarget('http://localhost:4000/out', local), 'http://localhost:4000/out')
    assert.equal(signOutTarget('http://app.localhost:4000/out', local), undefined)
  })

  it('W13: has no parameter that some framework reads under the name of a token', () => {
    const disguised = [
      'eg.session',
      'eg_session[]',
      'eg_session[0]',
      'EG_Session',
      'eg-session',
      'eg%20session',
      'eg%5Fsession',
      'eg_session%5B%5D',
      'eg.token',
      'State',
      'state[]',
    ]
    for (const name of disguised) {
      for (const query of [`?${name}=x`, `?a=1&${name}=x`, `?a=1;${name}=x`, `?;${name}=x`]) {
        const parsed = parseRedirectUri(`https://app.example/callback${query}`)
        assert.ok('refusal' in parsed, query)
        assert.ok(['reserved_parameter', 'not_normal'].includes(parsed.refusal), `${query}: ${parsed.refusal}`)
      }
    }
    for (const query of ['?tenant=eg_session', '?my_state=1', '?a=1;b=2', '?session=1'])
      assert.deepEqual(parseRedirectUri(`https://app.example/callback${query}`), { uri: `https://app.example/callback${query}` }, query)
  })
})

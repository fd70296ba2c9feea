import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseReturnTo } from './return-to.ts'

const APP = { appOrigin: 'https://app.example', appPath: '', authPath: '/auth', allowedOrigins: [] }

/** Texts built from the parts of redirect attacks. */
const attacks = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '\\',
        '/\\',
        '@',
        ':',
        '?',
        '#',
        '.',
        '..',
        ';',
        '%2f',
        '%5c',
        '%09',
        '%00',
        '\t',
        '\n',
        '\r',
        '\u0000',
        ' ',
        '\u00a0',
        '。',
        '／',
        '＼',
      ),
      fc.constantFrom(
        'https:',
        'http:',
        'javascript:',
        'JaVaScRiPt:',
        'data:',
        'file:',
        'blob:',
        'evil.example',
        'app.example',
        'https://app.example',
        'auth',
        'sign-out',
        'user:pass@',
        ':443',
      ),
      fc.string({ maxLength: 3, unit: 'binary' }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

describe('return_to', () => {
  it('of any text is a path of this app, that a browser takes as one and that does not begin or end a sign-in', () => {
    fc.assert(
      fc.property(attacks, fc.constantFrom('', '/shop'), (text, appPath) => {
        const app = { ...APP, appPath, authPath: `${appPath}/auth` }
        const target = parseReturnTo(text, app)
        assert.match(target, /^\/(?![/\\])[\x21-\x7e]*$/)
        assert.ok(!target.includes('\\') || /[?#]/.test(target))
        const url = new URL(target, APP.appOrigin)
        assert.equal(url.origin, APP.appOrigin)
        assert.ok(!url.pathname.startsWith(`${app.authPath}/`))
        assert.equal(parseReturnTo(target, app), target, 'and stays it')
      }),
      {
        numRuns: 3_000,
        examples: ['/.//evil.example', '/x/..//evil.example', 'https://app.example//evil.example', 'blob:https://app.example/'].map(
          (text) => [text, ''],
        ),
      },
    )
  })

  it('that is a path of the app is kept as it is', () => {
    const label = fc.stringMatching(/^[\w.~-]{1,12}$/).filter((one) => !/^\.+$/.test(one) && one !== 'auth')
    const paths = fc.tuple(fc.array(label, { maxLength: 5 }), fc.option(label), fc.option(label))
    fc.assert(
      fc.property(paths, ([segments, query, hash]) => {
        const path = `/${segments.join('/')}${query === null ? '' : `?${query}=${query}`}${hash === null ? '' : `#${hash}`}`
        assert.equal(parseReturnTo(path, APP), path)
        assert.equal(parseReturnTo(APP.appOrigin + path, APP), path)
      }),
    )
  })

  it('that browsers would read otherwise than it is written is the front page', () => {
    for (const text of ['/x\\y', '/x?y=\\', '/x\ty', '/x\ny', '/x\u0000', '/x\u007f', `/${'x'.repeat(1024)}`]) {
      assert.equal(parseReturnTo(text, APP), '/', JSON.stringify(text))
    }
  })

  it('is the front page where it is missing', () => {
    assert.equal(parseReturnTo(null, APP), '/')
    assert.equal(parseReturnTo('', { ...APP, appPath: '/shop' }), '/shop/')
  })
})

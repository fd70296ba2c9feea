import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseLanguage, languages } from './languages.ts'

test('the page speaks Brazilian Portuguese to whoever asks for nothing', () => {
  assert.equal(chooseLanguage({}), 'pt-BR')
  assert.equal(chooseLanguage({ query: '', cookie: '', acceptLanguage: '' }), 'pt-BR')
})

test('the switch on the page wins over the cookie, and the cookie over the browser', () => {
  assert.equal(chooseLanguage({ query: 'es', cookie: 'en', acceptLanguage: 'pt-BR' }), 'es')
  assert.equal(chooseLanguage({ cookie: 'en', acceptLanguage: 'pt-BR' }), 'en')
  assert.equal(chooseLanguage({ acceptLanguage: 'es-MX' }), 'es')
})

test('an unknown language in switch or cookie is passed over', () => {
  assert.equal(chooseLanguage({ query: 'xx', cookie: '<svg>', acceptLanguage: 'en-GB' }), 'en')
})

for (const [header, expected] of [
  ['en;q=0.3, es;q=0.9, pt;q=0.5', 'es'],
  ['fr-FR, de;q=0.9, en;q=0.8', 'en'],
  ['fr, de', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['EN-us', 'en'],
  ['en;q=0, es;q=0.1', 'es'],
  ['en, es', 'en'],
  ['*', 'pt-BR'],
  ['pt;q=0, *;q=0.5', 'en'],
  ['en;q=2, es;q=0.1', 'es'],
  ['en;q=abc, es;q=0.1', 'es'],
  ['es ; q=0.2 , en ; q=1.000', 'en'],
] as const) {
  test(`Accept-Language "${header}" is answered in ${expected}`, () => {
    assert.equal(chooseLanguage({ acceptLanguage: header }), expected)
  })
}

test('whatever a browser sends, the answer is one of our languages', () => {
  const wish = fc.option(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('e', 'n', 's', ';', 'q', '=', '0', '.', ',', '*', ' ', '-') }),
    ),
    { nil: undefined },
  )
  fc.assert(
    fc.property(wish, wish, wish, (query, cookie, acceptLanguage) => languages.includes(chooseLanguage({ query, cookie, acceptLanguage }))),
  )
})

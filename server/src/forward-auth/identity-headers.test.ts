import assert from 'node:assert/strict'
import { validateHeaderValue } from 'node:http'
import { it } from 'node:test'
import fc from 'fast-check'
import { headerText } from './identity-headers.ts'

it('A plain name or address is its own header, so that an app which decodes nothing shows it right', () => {
  for (const text of ['Ana Souza', 'ana+loja@exemplo.com.br', "o'brien@exemplo.com.br", 'easy-pro', ''])
    assert.equal(headerText(text), text)
})

it('Everything that could end a header, begin another, or split it into two values is encoded', () => {
  const texts: Array<[text: string, header: string]> = [
    ['Ana\r\nPortaria-Plan: pro', 'Ana%0D%0APortaria-Plan%3A pro'],
    ['a\u0000b', 'a%00b'],
    ['Ana, Bia', 'Ana%2C Bia'],
    ['a;b="c"', 'a%3Bb%3D%22c%22'],
    ['100%0D', '100%250D'],
    [' Ana ', '%20Ana%20'],
    ['  ', '%20%20'],
    ['Conceição', 'Concei%C3%A7%C3%A3o'],
    ['\ud83d', '%EF%BF%BD'],
    ['\u0085\u2028', '%C2%85%E2%80%A8'],
  ]
  for (const [text, header] of texts) assert.equal(headerText(text), header)
})

it('Any text at all becomes one valid header value, which decodeURIComponent turns back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const header = headerText(text)
      validateHeaderValue('portaria-name', header)
      assert.match(header, /^(?! )[\x20-\x7e]*(?<! )$/)
      assert.doesNotMatch(header, /[,;"\\<>&=]/)
      assert.equal(decodeURIComponent(header), text.toWellFormed())
    }),
  )
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { normaliseEmail, plainEmail } from './email-address.ts'

const NORMAL = [
  ['Ana@Exemplo.com.br', 'ana@exemplo.com.br'],
  ['  ana@exemplo.com.br\n', 'ana@exemplo.com.br'],
  ['ana+loja@exemplo.com.br', 'ana+loja@exemplo.com.br'],
  ['ana@münchen.de', 'ana@xn--mnchen-3ya.de'],
  ['ana@XN--MNCHEN-3YA.DE', 'ana@xn--mnchen-3ya.de'],
  ['ａｎａ＠ｅｘｅｍｐｌｏ．ｃｏｍ', 'ana@exemplo.com'],
  ['josé@exemplo.com', 'josé@exemplo.com'],
  ['ana@exemplo。com', 'ana@exemplo.com'],
  ["o'brien@exemplo.com", "o'brien@exemplo.com"],
] as const

const NONE = [
  '',
  '@',
  'ana',
  'ana@',
  '@exemplo.com',
  'ana@exemplo',
  'ana@.com',
  'ana@exemplo..com',
  'ana@-exemplo.com',
  'a na@exemplo.com',
  'ana@exem plo.com',
  '.ana@exemplo.com',
  'ana.@exemplo.com',
  'a..na@exemplo.com',
  '"ana"@exemplo.com',
  'ana@[127.0.0.1]',
  'ana@b@exemplo.com',
  'ana@exemplo.com\r\nBcc: x@exemplo.com',
  'ana\u0000@exemplo.com',
  'an\u200ba@exemplo.com',
  'ana<x@exemplo.com',
  'ana,bia@exemplo.com',
  `${'a'.repeat(65)}@exemplo.com`,
  `${'é'.repeat(33)}@exemplo.com`,
  `a@${`${'b'.repeat(60)}.`.repeat(4)}${'c'.repeat(12)}.com`,
  'a'.repeat(100_000),
  ...['\u034f', '\u115f', '\u1160', '\ufe0f', '\u3164', '\uffa0', '\u180b', '\u2060'].flatMap((hidden) => [
    `ana${hidden}@exemplo.com`,
    `${hidden}@exemplo.com`,
  ]),
  ...['0x7f.1', '127.0.0.1', '2130706433.1', '1.2.3.4', '0177.0.0.01', 'exemplo.0x7f', 'exemplo.1'].map((host) => `x@${host}`),
]

const address = fc
  .tuple(fc.stringMatching(/^[a-z0-9_+-]{1,20}$/), fc.stringMatching(/^[a-z]{1,10}$/))
  .map(([local, domain]) => `${local}@${domain}.com.br`)

describe('An address', () => {
  for (const [written, normal] of NORMAL)
    it(`written ${JSON.stringify(written)} is ${normal}`, () => assert.equal(normaliseEmail(written), normal))
  for (const text of NONE) it(`is not ${JSON.stringify(text.slice(0, 60))}`, () => assert.equal(normaliseEmail(text), undefined))

  it('in its one form stays as it is, whatever came before', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.emailAddress(), fc.string({ unit: 'grapheme' }), fc.constantFrom(...NORMAL.map(([written]) => written))),
        (text) => {
          const normal = normaliseEmail(text)
          if (normal !== undefined) assert.equal(normaliseEmail(normal), normal)
        },
      ),
    )
  })

  it('is the same in any letter case and between spaces', () => {
    fc.assert(
      fc.property(address, fc.infiniteStream(fc.boolean()), (normal, flips) => {
        const written = [...normal].map((character) => (flips.next().value ? character.toUpperCase() : character)).join('')
        assert.equal(normaliseEmail(` ${written} `), normal)
      }),
    )
  })

  it('has the domain that IDNA makes of it, also where that is plain to see', () => {
    const label = fc.oneof(
      fc.stringMatching(/^[a-z0-9-]{1,8}$/),
      fc.constantFrom('xn--a', 'xn--mnchen-3ya', '0x1f', '127', 'a--b', '-a', 'a-', 'br'),
    )
    fc.assert(
      fc.property(fc.array(label, { minLength: 2, maxLength: 4 }), (labels) => {
        const domain = domainToASCII(labels.join('.'))
        assert.equal(normaliseEmail(`ana@${labels.join('.')}`), domain === '' ? undefined : normaliseEmail(`ana@${domain}`))
        assert.ok([undefined, `ana@${domain}`].includes(normaliseEmail(`ana@${labels.join('.')}`)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('never holds a space, a control character or a second @, and at most 254 octets', () => {
    fc.assert(
      fc.property(fc.tuple(fc.string({ unit: 'grapheme' }), fc.domain()), ([local, domain]) => {
        const normal = normaliseEmail(`${local}@${domain}`)
        if (normal === undefined) return
        assert.match(normal, /^[^\s\p{C}@]+@[^\s\p{C}@]+$/u)
        assert.ok(Buffer.byteLength(normal) <= 254)
      }),
    )
  })

  it('W3: is vouched for only as it is written: case of ASCII aside, and the spelling of its domain', () => {
    for (const [written, plain] of [
      ['Victim@Example.COM', 'victim@example.com'],
      ['victim@example.com', 'victim@example.com'],
      ['josé@exemplo.com', 'josé@exemplo.com'],
      ['ana@münchen.de', 'ana@xn--mnchen-3ya.de'],
      ['ana@XN--MNCHEN-3YA.DE', 'ana@xn--mnchen-3ya.de'],
      ['ｖictim@example.com', undefined],
      ['victim＠example.com', undefined],
      ['victim@ｅxample.com', undefined],
      ['victim@example。com', undefined],
      ['victim@exam\u00adple.com', undefined],
      ['\u212aaren@example.com', undefined],
      ['karen@ban\u212a.com', undefined],
      ['ﬁona@example.com', undefined],
      ['ſam@example.com', undefined],
      [' victim@example.com', undefined],
      ['jose\u0301@exemplo.com', undefined],
      ['no address', undefined],
    ] as const)
      assert.equal(plainEmail(written), plain, JSON.stringify(written))
  })

  it('W11: holds nothing that shows nothing, and has no domain that is a number', () => {
    for (const hidden of ['\u034f', '\u115f', '\u1160', '\ufe0f', '\u3164'])
      assert.equal(normaliseEmail(`ana${hidden}@exemplo.com`), undefined, JSON.stringify(hidden))
    for (const host of ['0x7f.1', '127.0.0.1', '017700000001.1']) assert.equal(normaliseEmail(`x@${host}`), undefined, host)
  })
})

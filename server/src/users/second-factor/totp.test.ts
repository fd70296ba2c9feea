import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { codeOf } from '../../../test/support/users/authenticator.ts'
import { hashRecoveryCode, mintRecoveryCodes, parseRecoveryCode } from './recovery-codes.ts'
import { findTotpStep, mintTotpSecret, parseTotpSecret, totpSecretOf, totpUri } from './totp.ts'

/** The secret of RFC 6238, appendix B: "12345678901234567890" in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('The code of an app', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const) {
    it(`is ${code} at second ${seconds}, as RFC 6238 says in its appendix B`, () => {
      assert.equal(findTotpStep(RFC_SECRET, code, seconds * 1000), Math.floor(seconds / 30))
      assert.equal(codeOf(RFC_SECRET, seconds * 1000), code, 'the app of the tests')
    })
  }

  it('belongs to a step of its own, at most one away from now', () => {
    const secret = mintTotpSecret()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), fc.integer({ min: -29_999, max: 29_999 }), (made, late) => {
        const start = Math.floor(made / 30_000) * 30_000 + 60_000
        const code = codeOf(secret, start)
        const found = findTotpStep(secret, code, start + late) ?? Number.NaN
        // Two of three steps may show the same six digits: then the nearer one is right as well.
        assert.equal(codeOf(secret, found * 30_000), code)
        assert.ok(Math.abs(found - Math.floor((start + late) / 30_000)) <= 1)
      }),
    )
  })

  it('is none when it is not six digits', () => {
    for (const code of ['', '28708', '2870820', '28708a', '２８７０８２', ' 287082', '287082\n', '-87082'])
      assert.equal(findTotpStep(RFC_SECRET, code, 59_000), undefined, code)
  })

  it('comes from a secret of 160 bits, given to the app with who and whose', () => {
    const secret = mintTotpSecret()
    assert.match(secret, /^[A-Z2-7]{32}$/)
    assert.notEqual(secret, mintTotpSecret())
    const uri = new URL(totpUri(secret, { issuer: 'Portaria', email: 'ana+um@exemplo.com.br' }))
    assert.equal(uri.protocol, 'otpauth:')
    assert.equal(decodeURIComponent(uri.pathname).replace(/^\/*/, '').split('/').at(-1), 'Portaria:ana+um@exemplo.com.br')
    assert.deepEqual(
      ['secret', 'issuer', 'algorithm', 'digits', 'period'].map((name) => uri.searchParams.get(name)),
      [secret, 'Portaria', 'SHA1', '6', '30'],
    )
  })
})

describe('The secret of another system', () => {
  it('is taken in base32 and as the address that an app scans', () => {
    const secret = RFC_SECRET
    for (const text of [secret, secret.toLowerCase(), `${secret.match(/.{4}/g)?.join(' ')}`, `${secret}======`])
      assert.deepEqual(parseTotpSecret(text), { secret }, text)
    const uri = totpUri(secret, { issuer: 'Old', email: 'ana@example.com' })
    for (const text of [uri, `otpauth://totp/x?secret=${secret}`, uri.replace('SHA1', 'sha-1')])
      assert.deepEqual(parseTotpSecret(text), { secret }, text)
    assert.equal(totpSecretOf(Buffer.from('12345678901234567890')), secret)
    assert.deepEqual(parseTotpSecret('JBSWY3DPEHPK3PXP'), { secret: 'JBSWY3DPEHPK3PXP' }, 'of 80 bits')
  })

  it('is refused where its codes are of another kind, and where it is none', () => {
    const uri = totpUri(RFC_SECRET, { issuer: 'Old', email: 'ana@example.com' })
    const others = [uri.replace('SHA1', 'SHA512'), uri.replace('digits=6', 'digits=7'), uri.replace('period=30', 'period=15')]
    for (const text of [...others, uri.replace('totp', 'hotp')]) assert.deepEqual(parseTotpSecret(text), { refused: 'other_codes' }, text)
    for (const text of [
      '',
      'GEZDGNBV',
      'A1',
      '0'.repeat(32),
      'A'.repeat(300),
      'otpauth:',
      'otpauth://totp/x',
      uri.replace(RFC_SECRET, '%00'),
    ])
      assert.deepEqual(parseTotpSecret(text), { refused: text === 'otpauth:' ? 'other_codes' : 'malformed' }, text)
  })
})

describe('A recovery code', () => {
  it('is one of ten that differ, and is known again however it is typed', () => {
    const codes = mintRecoveryCodes()
    assert.equal(new Set(codes).size, 10)
    for (const code of codes) {
      const plain = code.replaceAll('-', '')
      for (const typed of [code, plain, code.toUpperCase(), ` ${code.replaceAll('-', ' ')} `, code.replaceAll('-', ' - ')])
        assert.equal(parseRecoveryCode(typed), plain, typed)
      assert.equal(hashRecoveryCode('one', code), hashRecoveryCode('one', plain))
      assert.notEqual(hashRecoveryCode('one', code), hashRecoveryCode('other', code))
    }
  })

  it('is none when a letter is missing, too many, or not of its alphabet', () => {
    const [code = ''] = mintRecoveryCodes()
    for (const typed of ['', code.slice(1), `${code}2`, `${code.slice(1)}0`, `${code.slice(1)}l`, '287082'])
      assert.equal(parseRecoveryCode(typed), undefined, typed)
  })
})

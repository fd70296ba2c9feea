import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FIREBASE_HASH, FOREIGN_HASHES } from '../../../../test/support/users/foreign-hashes.ts'
import { isForeignMatch } from './derive-foreign.ts'
import { readForeignForm } from './foreign-forms.ts'
import { decoyOf, parseForeignHash } from './foreign-hash.ts'
import { hashesToCompute, verifyForeign } from './verify-foreign.ts'

const PASSWORD = 'senha de Ana 1ç'

/** Beyond the limit, below bcrypt's least, and a hash that is no bcrypt's. */
const BCRYPT_COSTS = ['$f$bcrypt$n=31,f=as_typed,l=23', '$f$bcrypt$n=3,f=as_typed,l=23', '$f$bcrypt$n=6,f=as_typed,l=24']
const BCRYPT_TEXTS = [
  '$2x$06$abcdefghijklmnopqrstuu2cWZ3evg9SCkuaENb4maXfjYJc9cCB2',
  '$2b$03$abcdefghijklmnopqrstuu2cWZ3evg9SCkuaENb4maXfjYJc9cCB2',
  '$2b$32$abcdefghijklmnopqrstuu2cWZ3evg9SCkuaENb4maXfjYJc9cCB2',
  '$2b$06$abcdefghijklmnopqrstuu2cWZ3evg9SCkuaENb4maXfjYJc9cCB',
]

/** The hash as it is read back from the database. */
function stored(read: ReturnType<typeof readForeignForm>) {
  assert.ok(typeof read === 'string', JSON.stringify(read))
  return parseForeignHash(read) ?? assert.fail(`${read} is not read back`)
}

describe('Hashes of other systems', () => {
  for (const [name, text, password, another = `${password} `] of FOREIGN_HASHES) {
    it(`verifies ${name}, and no other password`, () => {
      const hash = stored(readForeignForm(text))
      assert.equal(isForeignMatch(password, hash), true)
      assert.equal(isForeignMatch(another, hash), false)
      assert.equal(isForeignMatch(password, decoyOf(hash.cost)), false)
    })
  }

  it('verifies Firebase scrypt with the parameters of its project', () => {
    const hash = stored(readForeignForm(FIREBASE_HASH))
    assert.equal(isForeignMatch('user1password', hash), true)
    assert.equal(isForeignMatch('user2password', hash), false)
  })

  it('refuses a hash whose computing would not end, and names the limit', () => {
    const beyond: Record<string, RegExp> = {
      '$argon2id$v=19$m=4194304,t=3,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc': /^argon2: m=131072 \(KiB\)/,
      '$argon2id$v=19$m=65536,t=900,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc': /^argon2: m × t = 524288/,
      '$scrypt$ln=25,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$2yU2mscm0MeBT97sSk+Lb/KhKNiceR0yxOPE6ymiGGA': /^scrypt: 128 × N × r = 134217728 bytes/,
      '$scrypt$ln=14,r=8,p=9$MDEyMzQ1Njc4OWFiY2RlZg$2yU2mscm0MeBT97sSk+Lb/KhKNiceR0yxOPE6ymiGGA': /^scrypt/,
      'scrypt:1000:8:1$aGVsbG8wMTIz$b62a': /^scrypt/,
      'pbkdf2_sha256$99000000$saltsalt12$o+sviY/GrLpjtMBkQ5/SDdIWq6QpxZbyWUMhFlsEKPE=': /^PBKDF2: 2000000 iterations at most/,
      $2b$31$abcdefghijklmnopqrstuu2cWZ3evg9SCkuaENb4maXfjYJc9cCB2: /^bcrypt: a cost of 13 at most/,
      $wp$2y$14$abcdefghijklmnopqrstuu2cWZ3evg9SCkuaENb4maXfjYJc9cCB2: /^bcrypt: a cost of 13 at most/,
      '$P$Sabcdefgh.xFw/fkCt8DTYfNHlBveV/': /^phpass: 2\^16 rounds at most/,
    }
    for (const [text, limit] of Object.entries(beyond)) {
      const read = readForeignForm(text)
      assert.ok(read !== undefined && typeof read !== 'string', text)
      assert.match(read.tooDear, limit)
    }
  })

  it('takes the first 72 bytes of a password for bcrypt, as bcrypt does', () => {
    const hash = stored(readForeignForm('$2b$06$abcdefghijklmnopqrstuuTVV1UDE9o4byBIRARjyacJxEvahmCWG'))
    assert.equal(isForeignMatch('ç'.repeat(36), hash), true)
    assert.equal(isForeignMatch(`${'ç'.repeat(36)}tail of Bia`, hash), true)
    assert.equal(isForeignMatch('ç'.repeat(35), hash), false)
    const cutWithin = stored(readForeignForm('$2b$06$abcdefghijklmnopqrstuuL3xX3s8dH9DyOb571FJLs2pEI1XnxnG'))
    assert.equal(isForeignMatch(`${'a'.repeat(71)}çz`, cutWithin), true)
  })

  it('takes no password with a NUL for one that bcrypt repeats', () => {
    const hash = stored(readForeignForm('$2b$06$abcdefghijklmnopqrstuu2cWZ3evg9SCkuaENb4maXfjYJc9cCB2'))
    assert.equal(isForeignMatch('abc', hash), true)
    for (const password of ['abc\0', 'abc\0abc', 'abc\0xyz']) assert.equal(isForeignMatch(password, hash), false)
  })

  it('sees a password as better-auth does: letters that look the same are the same', () => {
    const tag =
      'de63643962a7fcbc22f95223cbc865321f03d4d294b653e5b52a9452fd73b0fac8f0d2988ac5f088a6c006fe2965cf13658064be9ff6c0af410ca6c9e63f1d28'
    const hash = stored(readForeignForm(`00112233445566778899aabbccddeeff:${tag}`))
    for (const password of ['fim 1 ç', '\u{fb01}m \u{2460} c\u{327}']) assert.equal(isForeignMatch(password, hash), true)
    assert.equal(isForeignMatch('fim 1 c', hash), false)
  })

  it('sees a password as the form of WordPress did', () => {
    const hash = stored(readForeignForm('$wp$2y$06$abcdefghijklmnopqrstuucokxNCcSoAbupDIv9atxgni7yW4pbJa'))
    for (const password of ['d\'Ana "1" \\o/', ' d\'Ana "1" \\o/\t']) assert.equal(isForeignMatch(password, hash), true)
    assert.equal(isForeignMatch('d\\\'Ana \\"1\\" \\\\o/', hash), false)
    const published = stored(readForeignForm('$wp$2y$12$iWN5xRwDE7i9R5jVJvCyqOxS1CNnwUggQaF8O2W9Bg8TuXQz.ngrS'))
    assert.equal(isForeignMatch('grimoire-test-123', published), true)
  })

  it('computes no stored hash beyond a limit, whoever wrote it', () => {
    const [salt, tag] = [Buffer.alloc(16), Buffer.alloc(32)]
    for (const cost of [
      '$f$scrypt$n=25,r=8,p=1,f=as_typed,l=32',
      '$f$argon2id$m=4194304,t=1,p=1,l=32',
      '$f$nothing$l=32',
      '$f$scrypt$',
      ...BCRYPT_COSTS,
    ])
      assert.equal(isForeignMatch('', { cost, salt, tag }), false)
  })

  it('knows no other form', () => {
    for (const text of [
      '',
      'secret',
      '5f4dcc3b5aa765d61d8327deb882cf99',
      '$argon2id$v=16$m=1,t=1,p=1$YQ$YQ',
      '$f$phpass$n=13,l=16$YQ$YQ',
      ...BCRYPT_TEXTS,
    ])
      assert.equal(readForeignForm(text), undefined)
  })

  it('computes one hash of each cost for a user with a foreign hash, for one with ours and for nobody', async () => {
    const hash = stored(readForeignForm('$P$Babcdefgh.xFw/fkCt8DTYfNHlBveV/'))
    const costs = [hash.cost, '$f$phpass$n=8,l=16']
    const costsOf = (one: typeof hash | undefined) =>
      hashesToCompute(one, costs)
        .map(({ cost }) => cost)
        .sort()
    assert.deepEqual(costsOf(hash), [...costs].sort())
    assert.deepEqual(costsOf(undefined), [...costs].sort())
    assert.equal(await verifyForeign(PASSWORD, hash, costs), true)
    assert.equal(await verifyForeign('another', hash, costs), false)
    assert.equal(await verifyForeign(PASSWORD, undefined, costs), false)
    assert.equal(await verifyForeign(PASSWORD, undefined, []), false)
    assert.equal(await verifyForeign(PASSWORD, hash, []), true, 'also where its cost is not listed yet')
  })
})

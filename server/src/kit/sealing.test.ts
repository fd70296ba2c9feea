import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createSealer } from './sealing.ts'

const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const PLACE = 'users_company.tax_id_sealed.0190'

describe('A sealed value', () => {
  it('opens in its place to what was sealed', () => {
    const sealer = createSealer([first])
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, place) => {
        assert.equal(sealer.open(sealer.seal(plain, place), place), plain)
      }),
    )
  })

  it('never looks the same twice', () => {
    const sealer = createSealer([first])
    const sealed = Array.from({ length: 1000 }, () => sealer.seal('a', PLACE))
    assert.equal(new Set(sealed).size, 1000)
  })

  it('does not open in another table, column or row', () => {
    const sealer = createSealer([first])
    const sealed = sealer.seal('52998224725', PLACE)
    for (const place of ['users_company.tax_id_sealed.0191', 'users_company.phone.0190', 'webhook_keys.sealed.0190', '', `${PLACE}.`]) {
      assert.equal(sealer.open(sealed, place), undefined, place)
    }
  })

  it('altered in any one bit does not open', () => {
    const sealer = createSealer([first])
    const sealed = sealer.seal('52998224725', PLACE)
    const [id = '', text = ''] = sealed.split('.')
    const box = Buffer.from(text, 'base64url')
    for (let bit = 0; bit < box.length * 8; bit++) {
      const altered = Buffer.from(box)
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      assert.equal(sealer.open(`${id}.${altered.toString('base64url')}`, PLACE), undefined, `bit ${bit}`)
    }
  })

  it('cut short, or any other text, does not open and is no fault', () => {
    const sealer = createSealer([first])
    const sealed = sealer.seal('a', PLACE)
    for (let length = 0; length < sealed.length; length++) assert.equal(sealer.open(sealed.slice(0, length), PLACE), undefined)
    fc.assert(fc.property(fc.string(), (text) => assert.equal(sealer.open(text, PLACE), undefined)))
    fc.assert(fc.property(fc.string(), (text) => assert.equal(sealer.open(`${sealed.split('.')[0]}.${text}`, PLACE), undefined)))
  })

  it('opens with the previous key while it is at hand, and says that it should be sealed anew', () => {
    const old = createSealer([first]).seal('value', PLACE)
    const rotating = createSealer([second, first])
    assert.equal(rotating.open(old, PLACE), 'value')
    assert.equal(rotating.isStale(old), true)
    const fresh = rotating.seal('value', PLACE)
    assert.equal(rotating.isStale(fresh), false)
    assert.equal(createSealer([second]).open(fresh, PLACE), 'value')
    assert.equal(createSealer([second]).open(old, PLACE), undefined)
  })

  it("under another key's id does not open", () => {
    const [, box = ''] = createSealer([first]).seal('value', PLACE).split('.')
    const [otherId = ''] = createSealer([third]).seal('value', PLACE).split('.')
    assert.equal(createSealer([third, first]).open(`${otherId}.${box}`, PLACE), undefined)
  })
})

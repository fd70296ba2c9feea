import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deliveryDigest } from './keep-delivery.ts'

describe('The digest of a delivery', () => {
  it("keeps the order of a gateway's ids, by product", () => {
    const digests = ['evt_1Q0', 'evt_1Q1', 'evt_1R0'].map((id) => deliveryDigest('product', id))
    assert.deepEqual(digests, digests.toSorted())
    assert.notEqual(deliveryDigest('a', 'evt_1'), deliveryDigest('b', 'evt_1'))
  })

  it('is short and plain, whatever a sender calls an id', () => {
    for (const id of ['', 'a b', 'clarice@exemplo.com', '{"id":1}', 'evt\u0000', 'e'.repeat(101), 'evt_1\n'])
      assert.match(deliveryDigest('product', id), /^[\w-]{43}$/, id)
  })

  it('is another one where the product and the id run together', () => {
    assert.notEqual(deliveryDigest('a b', 'c'), deliveryDigest('a', 'b c'))
  })
})

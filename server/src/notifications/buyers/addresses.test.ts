import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressesIn } from './addresses.ts'

describe('Addresses in what was reported', () => {
  const isFound = (text: string) => addressesIn(text).includes('clarice@exemplo.com')

  it('are found however they are dressed', () => {
    for (const text of [
      '{"email":"clarice@exemplo.com"}',
      '{"a":{"b":["  Clarice@Exemplo.COM "]}}',
      '{"email":"Clarice <clarice@exemplo.com>"}',
      '{"note":"write to clarice@exemplo.com."}',
      '{"note":"line\\nclarice@exemplo.com"}',
      '{"email":"clarice\\u0040exemplo.com"}',
      '{"email":"\\u0063larice@exemplo.com"}',
      '{"link":"mailto:clarice@exemplo.com?x=1"}',
      '{"link":"https://loja/?email=clarice@exemplo.com&x=1"}',
      '{"who":"\'clarice@exemplo.com\'"}',
      '{"clarice@exemplo.com":true}',
      '{"email":"ｃｌａｒｉｃｅ＠ｅｘｅｍｐｌｏ．ｃｏｍ"}',
      '{"to":"outra@exemplo.com,clarice@exemplo.com;mais@exemplo.com"}',
      'not JSON: clarice@exemplo.com',
    ])
      assert.ok(isFound(text), text)
    for (const address of ["o'brien@exemplo.com", 'a=b@exemplo.com', 'ana@xn--mnchen-3ya.de'])
      assert.ok(addressesIn(JSON.stringify({ address })).includes(address), address)
    assert.ok(addressesIn('{"a":"ana@münchen.de"}').includes('ana@xn--mnchen-3ya.de'))
  })

  it('hold no control character, which PostgreSQL would refuse with the whole delivery', () => {
    assert.deepEqual(addressesIn('{"a":"cla\\u0000rice@exemplo.com"}'), ['rice@exemplo.com'])
  })

  it('are not found where there are none, in whatever is sent, and that quickly', () => {
    for (const text of ['{}', '{"a":"@"}', '{"a":"@exemplo.com"}', '{"a":"clarice@"}', '{"a":"clarice @ exemplo.com"}', '[1,null,true]'])
      assert.deepEqual(addressesIn(text), [], text)
    const began = performance.now()
    for (const text of ['@'.repeat(262_144), 'a'.repeat(262_144), 'a@'.repeat(131_072), `${'['.repeat(262_144)}\\`]) addressesIn(text)
    assert.ok(performance.now() - began < 5_000)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashAddress, hashAddresses } from './addresses.ts'

describe('Addresses in what was told', () => {
  const isFound = (text: string) => hashAddresses(text).includes(hashAddress('clarice@exemplo.com'))

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
      assert.ok(hashAddresses(JSON.stringify({ address })).includes(hashAddress(address)), address)
    assert.ok(hashAddresses('{"a":"ana@münchen.de"}').includes(hashAddress('ana@xn--mnchen-3ya.de')))
  })

  it('are not found where there are none, in whatever is sent, and that quickly', () => {
    for (const text of ['{}', '{"a":"@"}', '{"a":"@exemplo.com"}', '{"a":"clarice@"}', '{"a":"clarice @ exemplo.com"}', '[1,null,true]'])
      assert.deepEqual(hashAddresses(text), [], text)
    const began = performance.now()
    for (const text of ['@'.repeat(262_144), 'a'.repeat(262_144), 'a@'.repeat(131_072), `${'['.repeat(262_144)}\\`]) hashAddresses(text)
    assert.ok(performance.now() - began < 5_000)
  })
})

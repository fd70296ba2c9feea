import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nearbyAddresses } from './nearby-addresses.ts'

describe('The addresses that are one slip away', () => {
  it('lack a letter, have one more, another one, or two swapped, before the @ or behind it', () => {
    const found = new Set(nearbyAddresses('joao.silva@gmail.com'))
    for (const slip of [
      ...['joao.slva@gmail.com', 'joaosilva@gmail.com', 'oao.silva@gmail.com', 'joao.silv@gmail.com'],
      ...['joao.sillva@gmail.com', 'joao.silva1@gmail.com', 'xjoao.silva@gmail.com', 'joao.silva@gmail.com.'],
      ...['joao.selva@gmail.com', 'joao_silva@gmail.com', 'joao.silva@gmail.con', 'joao.silva@hmail.com'],
      ...['jaoo.silva@gmail.com', 'joao.silva@gmial.com', 'joao.silva@gmail.cmo', 'joao.silva@gmai.com'],
    ])
      assert.ok(found.has(slip), slip)
  })

  it('are no further away, never the address itself, and each once', () => {
    const all = nearbyAddresses('joao.silva@gmail.com')
    const found = new Set(all)
    assert.equal(found.size, all.length)
    for (const far of ['joao.silva@gmail.com', 'joao.silva@gmail.com.br', 'jooa.slva@gmail.com', 'joao.silvagmail.com', 'maria@gmail.com'])
      assert.ok(!found.has(far), far)
    assert.ok(all.length < 2_500, `${all.length}`)
  })

  it('are none of what has too many, and of what is no address', () => {
    assert.deepEqual(nearbyAddresses(`${'x'.repeat(70)}@example.com`), [])
    assert.deepEqual(nearbyAddresses('pi_3SabcDEF'), [])
    assert.ok(nearbyAddresses(`${'x'.repeat(64)}@exemplo.com.br`).length < 8_000)
    assert.ok(nearbyAddresses('a@b.co').every((other) => other.indexOf('@') > 0))
  })
})

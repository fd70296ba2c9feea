import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MASKED, maskChange } from './mask.ts'

describe('A change in the audit log, as viewers see it', () => {
  it('keeps the words of fields that are known to be plain, and no other text, however deep it stands and in however long a list', () => {
    const change = {
      ...{ role: 'owner', name: 'Ana', scopes: ['read:email'], plan: 'ana@exemplo.com.br', count: 3, is_beta: true, phone: null },
      addUris: [{ uri: 'https://ana.example/', trusted: false }, 'https://bia.example/'],
      address: { of: { email: ['ana@exemplo.com.br', ['Rua 1']], state: 'active' } },
    }
    assert.deepEqual(maskChange(change), {
      ...{ role: 'owner', name: MASKED, scopes: ['read:email'], plan: MASKED, count: 3, is_beta: true, phone: null },
      addUris: [{ uri: MASKED, trusted: false }, MASKED],
      address: { of: { email: [MASKED, [MASKED]], state: 'active' } },
    })
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { formatPhone } from './formats.ts'

it('A telephone number of Brazil is shown as people there write it, and any other as it is kept', () => {
  for (const [kept, shown] of [
    ['+5511912345678', '+55 11 91234-5678'],
    ['+551131234567', '+55 11 3123-4567'],
    ['+351912345678', '+351912345678'],
    ['•••', '•••'],
  ] as const)
    assert.equal(formatPhone(kept), shown)
})

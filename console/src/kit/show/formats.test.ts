import assert from 'node:assert/strict'
import { it } from 'node:test'
import { formatExactTime, formatPhone, formatTime } from './formats.ts'

it('A telephone number of Brazil is shown as people there write it, and any other as it is kept', () => {
  for (const [kept, shown] of [
    ['+5511912345678', '+55 11 91234-5678'],
    ['+551131234567', '+55 11 3123-4567'],
    ['+351912345678', '+351912345678'],
    ['•••', '•••'],
  ] as const)
    assert.equal(formatPhone(kept), shown)
})

it('A time is that of the operator, short in a list and exact in its tooltip', () => {
  const at = '2026-11-21T02:30:05.123Z'
  const say = (zone: string) => (['pt-BR', 'en', 'es'] as const).map((locale) => formatTime(at, locale, zone).replaceAll(/\s/gu, ' '))
  assert.deepEqual(say('America/Sao_Paulo'), ['20/11/2026, 23:30', 'Nov 20, 2026, 11:30 PM', '20/11/2026, 23:30'])
  assert.deepEqual(say('Asia/Tokyo'), ['21/11/2026, 11:30', 'Nov 21, 2026, 11:30 AM', '21/11/2026, 11:30'])
  const exact = formatExactTime(at, 'pt-BR', 'America/Sao_Paulo')
  for (const part of ['sexta-feira', '20 de novembro de 2026', '23:30:05', 'BRT|GMT-3', at.replaceAll('.', '\\.')])
    assert.match(exact, new RegExp(part))
})

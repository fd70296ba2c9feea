import assert from 'node:assert/strict'
import { it } from 'node:test'
import { matches } from './matching.ts'

it('a label is found by the beginnings of its words, in any order, without accents', () => {
  for (const typed of ['not', 'NOTIF', 'notificações', 'pagam notificacoes', ''])
    assert.ok(matches('Notificações de pagamentos', typed), typed)
  for (const typed of ['tificações', 'notx', 'not usuarios']) assert.ok(!matches('Notificações de pagamentos', typed), typed)
})

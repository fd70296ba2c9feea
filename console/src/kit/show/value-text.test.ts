import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Locale } from '../../i18n/locales.ts'
import { kitTexts } from '../texts.ts'
import { type ValueKind, valueText } from './value-text.ts'

const say = (value: unknown, kind?: ValueKind, locale: Locale = 'pt-BR') =>
  valueText(value, kind, { labels: kitTexts[locale], locale, zone: 'America/Sao_Paulo' })

it('Two versions of a record are compared in words, not in JSON', () => {
  assert.deepEqual([say(true), say(false), say(null), say(''), say([])], ['Sim', 'Não', 'nenhum', 'nenhum', 'nenhum'])
  assert.equal(say(['empresa.com', 'outra.com']), 'empresa.com; outra.com')
  assert.equal(say(9900, 'money').replace(/\s/, ' '), 'R$ 99,00')
  assert.equal(say(1234.5, undefined, 'en'), '1,234.5')
  assert.equal(say('2026-11-20T02:00:00.000Z', undefined, 'es'), '19/11/2026, 23:00')
  assert.equal(say('owner', { owner: 'Proprietário' }), 'Proprietário')
  assert.equal(say('other', { owner: 'Proprietário' }), 'other')
  assert.equal(say({ card: 3, pix: 7 }, { card: 'Cartão', pix: 'Pix' }), 'Cartão: 3, Pix: 7')
  const names = { gateway: 'Meio', ref: 'Preço', stripe: 'Stripe' }
  assert.equal(say([{ gateway: 'stripe', ref: 'price_1' }], names), 'Meio: Stripe, Preço: price_1')
  const inner = { fields: { gateway: 'Meio', ref: 'Código', pix: 'Pix' }, labelsOf: (name: string) => (name === 'gateway' ? names : {}) }
  assert.equal(say([{ gateway: 'stripe', ref: 'pix' }], inner), 'Meio: Stripe, Código: pix')
  for (const value of [{ a: [true] }, [{ at: null }], true]) assert.doesNotMatch(say(value), /[[\]{}"]|true|null/)
})

it('A secret is compared without being shown, and what only is there or not by that', () => {
  assert.deepEqual([say('my secret', 'secret'), say(undefined, 'secret')], ['••••••••', 'nenhum'])
  assert.deepEqual([say({ nda_accepted_at: null }, 'presence'), say(true, 'presence'), say(null, 'presence')], ['Sim', 'Sim', 'Não'])
})

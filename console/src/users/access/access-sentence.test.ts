import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PAYMENT_KINDS } from '../../../../server/src/payment-history/index.ts'
import { ACCESS_REASONS } from '../../../../server/src/subscriptions/index.ts'
import { type Locale, locales } from '../../i18n/locales.ts'
import type { PurchaseAccess } from './access.ts'
import { accessSentence, unsaidEnd } from './access-sentence.ts'
import { accessTexts } from './access-texts.ts'

const NOW = new Date('2026-11-23T12:00:00Z')

const PURCHASE: PurchaseAccess = {
  ...{ product: 'clube', product_name: 'Clube', active: false, reason: 'paid', plan_slug: 'anual', plan_name: 'Clube anual' },
  ...{
    amount: 39_900,
    foreign_amount: null,
    method: 'card',
    current_period_end: '2026-12-16T12:00:00Z',
    grace_until: '2026-12-19T12:00:00Z',
  },
  ...{ subscription_id: 's', event: null, event_at: null, by_operator: false, notification_id: null },
}

/** A reader sees no difference between spaces that break and others. */
const said = (more: Partial<PurchaseAccess>, locale: Locale = 'en') =>
  accessSentence({ ...PURCHASE, ...more }, { locale, zone: 'America/Sao_Paulo', now: NOW }).replaceAll(/\s/gu, ' ')

const on16 = { event_at: '2026-11-16T12:00:00Z' }

describe('The sentence that says why somebody has access, or none', () => {
  it('says what was bought, for how much, how, and what became of it, with the day', () => {
    const refunded = { reason: 'refunded', event: 'refunded', ...on16 } as const
    assert.equal(said(refunded), 'Clube anual, R$399.00, card, refunded on Nov 16')
    assert.equal(said(refunded, 'pt-BR'), 'Clube anual, R$ 399,00, cartão, reembolsada em 16 de nov.')
    assert.equal(said(refunded, 'es'), 'Clube anual, 399,00 R$, tarjeta, reembolsada el 16 nov')
    const dollars = { ...refunded, amount: null, foreign_amount: 'USD 4900' }
    assert.equal(said(dollars, 'pt-BR'), 'Clube anual, US$ 49,00, cartão, reembolsada em 16 de nov.')
    assert.equal(said({ ...dollars, foreign_amount: 'JPY 4900' }), 'Clube anual, ¥4,900, card, refunded on Nov 16')
    assert.match(said({ ...refunded, event_at: '2025-11-16T12:00:00Z' }), /refunded on Nov 16, 2025$/)
  })

  it('says it of every reason, after whatever event, in every language, and leaves no gap where a fact is missing', () => {
    const events = [null, ...PAYMENT_KINDS]
    for (const locale of locales) {
      assert.deepEqual(Object.keys(accessTexts[locale].reasons).toSorted(), [...ACCESS_REASONS].toSorted())
      for (const reason of ACCESS_REASONS) {
        const whole = said({ reason, event: 'refunded', ...on16 }, locale)
        assert.ok(whole.length > 35, whole)
        for (const event of events)
          for (const by_operator of [true, false])
            for (const more of [
              on16,
              { event_at: null, current_period_end: null, grace_until: null, amount: null, method: null, plan_name: null, plan_slug: null },
            ]) {
              const text = said({ reason, event, by_operator, ...more }, locale)
              assert.doesNotMatch(text, /undefined|null|NaN|Invalid|, ,|\s\s|[,;]\s*$| (?:em|on|el|até|until|hasta el)$/, text)
            }
      }
    }
  })

  const expected = {
    paid: ['paid on Nov 16', 'paga em 16 de nov.', 'pagada el 16 nov'],
    in_grace: [
      'payment declined on Nov 16; grace until Dec 19',
      'pagamento recusado em 16 de nov.; tolerância até 19 de dez.',
      'pago rechazado el 16 nov; tolerancia hasta el 19 dic',
    ],
    paid_until_period_end: [
      'cancelled on Nov 16; what was paid is valid until Dec 16',
      'cancelada em 16 de nov.; o que foi pago vale até 16 de dez.',
      'cancelada el 16 nov; lo pagado vale hasta el 16 dic',
    ],
    no_subscription: ['nothing bought', 'nada comprado', 'nada comprado'],
    payment_pending: ['awaiting payment since Nov 16', 'aguardando pagamento desde 16 de nov.', 'se espera el pago desde el 16 nov'],
    past_due: [
      'payment declined on Nov 16; grace ended on Dec 19',
      'pagamento recusado em 16 de nov.; a tolerância acabou em 19 de dez.',
      'pago rechazado el 16 nov; la tolerancia terminó el 19 dic',
    ],
    expired: [
      'what was paid ran out on Dec 16, and grace on Dec 19',
      'o que foi pago acabou em 16 de dez., e a tolerância em 19 de dez.',
      'lo pagado terminó el 16 dic, y la tolerancia el 19 dic',
    ],
    canceled: ['cancelled on Nov 16', 'cancelada em 16 de nov.', 'cancelada el 16 nov'],
    refunded: ['refunded on Nov 16', 'reembolsada em 16 de nov.', 'reembolsada el 16 nov'],
    disputed: ['payment disputed on Nov 16', 'pagamento contestado em 16 de nov.', 'pago disputado el 16 nov'],
    linked_to_another_user: ['linked to another user', 'vinculada a outra pessoa', 'vinculada a otra persona'],
  } as const satisfies Record<(typeof ACCESS_REASONS)[number], readonly [string, string, string]>
  const deciding: Partial<Record<(typeof ACCESS_REASONS)[number], string>> = {
    paid: 'paid',
    in_grace: 'payment_failed',
    past_due: 'payment_failed',
    paid_until_period_end: 'canceled',
    canceled: 'canceled',
    refunded: 'refunded',
  }

  it('is this one for each reason', () => {
    for (const reason of ACCESS_REASONS) {
      const [en, pt, es] = expected[reason]
      const facts = { reason, event: deciding[reason] ?? null, ...on16 }
      for (const [locale, text] of [
        ['en', en],
        ['pt-BR', pt],
        ['es', es],
      ] as const)
        assert.ok(said(facts, locale).endsWith(`, ${text}`), said(facts, locale))
    }
  })

  it('distinguishes what one reason can come from', () => {
    const why = (reason: PurchaseAccess['reason'], event: string | null, by_operator = false) =>
      said({ reason, event, by_operator, ...on16 })
        .split(', ')
        .slice(3)
        .join(', ')
    assert.equal(why('paid', 'granted', true), 'access granted by the operator on Nov 16')
    assert.equal(why('paid', 'payment_waived'), 'charge waived on Nov 16')
    assert.equal(why('refunded', 'refunded', true), 'refunded by the operator on Nov 16')
    assert.equal(why('refunded', 'dispute_lost'), 'dispute lost on Nov 16')
    assert.equal(why('refunded', 'payment_undone'), 'payment reversed on Nov 16')
    assert.equal(why('canceled', 'ended', true), 'ended by the operator on Nov 16')
    assert.equal(why('expired', 'payment_expired'), 'the charge expired unpaid on Nov 16')
    assert.equal(why('in_grace', null), 'what was paid ran out on Dec 16; grace until Dec 19')
  })

  it('has the day until which it is paid beside it, unless it says so itself or the money went back', () => {
    const day = '16 de dez.'
    for (const reason of ACCESS_REASONS)
      for (const event of [null, ...PAYMENT_KINDS]) {
        const sentence = said({ reason, event, ...on16 }, 'pt-BR')
        const end = unsaidEnd({ ...PURCHASE, reason, event })
        if (sentence.includes(day) || reason === 'refunded' || reason === 'disputed') assert.equal(end, null, sentence)
        else assert.equal(end, PURCHASE.current_period_end, sentence)
      }
    assert.equal(unsaidEnd({ ...PURCHASE, current_period_end: null }), null)
    assert.equal(unsaidEnd({ ...PURCHASE, reason: 'canceled', amount: null }), null, 'a gift was never paid')
  })
})

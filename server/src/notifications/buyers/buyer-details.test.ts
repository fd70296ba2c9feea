import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buyerDetailsIn, buyerJson, buyerTerms, nationalPhone } from './buyer-details.ts'

describe('What a notification says of its buyer', () => {
  for (const [what, payload, expected] of [
    [
      'the own checkout, with a company',
      {
        event: 'purchase.completed',
        customer: { email: 'ana@example.com', name: 'Ana Souza', phone: '+5511912345678' },
        product: { id: '52998224725', plan_slug: 'pro', name: 'Curso' },
        company: { name: 'Acme', cnpj: '11.444.777/0001-61' },
      },
      { taxIds: ['11444777000161'], phones: ['11912345678'], names: ['Ana Souza'] },
    ],
    [
      'variant B',
      { data: { user_email: 'a@b.co', user_name: 'Bia Lima', product_name: 'Plano Ouro' } },
      { taxIds: [], phones: [], names: ['Bia Lima'] },
    ],
    [
      'Stripe',
      {
        data: {
          object: {
            id: 'cs_1',
            customer_details: { name: 'Caio Reis', phone: '+55 (21) 98765-4321', tax_ids: [{ type: 'br_cpf', value: '529.982.247-25' }] },
            payment_method_details: { card: { brand: 'visa' }, name: 'x' },
          },
        },
      },
      { taxIds: ['52998224725'], phones: ['21987654321'], names: ['Caio Reis'] },
    ],
    [
      'Mercado Pago',
      {
        id: 52998224725,
        payer: {
          id: '52998224725',
          first_name: 'Davi',
          last_name: 'Melo',
          identification: { type: 'CPF', number: '52998224725' },
          phone: { area_code: '31', number: '98888-7777' },
        },
        external_reference: '52998224725',
      },
      { taxIds: ['52998224725'], phones: ['31988887777'], names: ['Davi Melo', 'Davi', 'Melo'] },
    ],
    [
      'Asaas',
      { customer: { id: 'cus_1', name: 'Eva Pires', cpfCnpj: '52998224725', mobilePhone: '4799999999', phone: null } },
      { taxIds: ['52998224725'], phones: ['4799999999'], names: ['Eva Pires'] },
    ],
    ['nobody', { id: 1, value: 'x', amount: 52998224725.5, items: [{ name: 'Caneca' }] }, { taxIds: [], phones: [], names: [] }],
  ] as const)
    it(`is read from ${what}`, () => assert.deepEqual(buyerDetailsIn(payload), expected))

  it('is no more than five of each, however many there are', () => {
    const many = { customers: Array.from({ length: 100 }, (_, i) => ({ customer: { name: `Nome ${i}`, phone: `1191234${1000 + i}` } })) }
    const { names, phones } = buyerDetailsIn(many)
    assert.deepEqual([names.length, phones.length], [5, 5])
  })

  it('makes one phone of all ways to write it', () => {
    for (const text of ['+55 11 91234-5678', '5511912345678', '(11) 91234-5678', '011 91234 5678', '11912345678'])
      assert.equal(nationalPhone(text), '11912345678', text)
    for (const text of ['', '1234567', 'ana@example.com', '+5511912345678 ramal 2', '1'.repeat(14)])
      assert.equal(nationalPhone(text), undefined, text)
  })

  it('is read again from what is noted of it', () => {
    const details = { taxIds: ['52998224725'], phones: ['11912345678'], names: ['Ana Souza'] }
    assert.deepEqual(buyerDetailsIn(JSON.parse(buyerJson(details) ?? '')), details)
    assert.equal(buyerJson({ taxIds: [], phones: [], names: [] }), undefined)
  })

  it('is found by words without case and accents', () => {
    assert.deepEqual(buyerTerms({ taxIds: ['1'], phones: ['2'], names: ['João da SILVA'] }), [
      'tax-id 1',
      'phone 2',
      'word joao',
      'word da',
      'word silva',
    ])
  })
})

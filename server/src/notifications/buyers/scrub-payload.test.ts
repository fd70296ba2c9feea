import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scrubPayload } from './scrub-payload.ts'

const scrubbed = (body: unknown) => JSON.parse(scrubPayload(JSON.stringify(body)))

describe('What stays of a notification whose buyer is forgotten', () => {
  it('is what happened, to which thing, how much and when', () => {
    const body = {
      id: 'evt_1&2',
      event: 'PAYMENT_RECEIVED',
      dateCreated: '2026-11-02 10:20:30',
      payment: {
        object: 'payment',
        id: 'pay_1',
        customer: 'cus_1',
        subscription: 'sub_1',
        value: 99.9,
        netValue: 98,
        dueDate: '2026-11-02',
        description: 'Easy Pro, Ana Souza',
        externalReference: 'ana@example.com',
      },
    }
    assert.deepEqual(scrubbed(body), {
      id: 'evt_1&2',
      event: 'PAYMENT_RECEIVED',
      dateCreated: '2026-11-02 10:20:30',
      payment: { object: 'payment', id: 'pay_1', subscription: 'sub_1', value: 99.9, netValue: 98, dueDate: '2026-11-02' },
    })
  })

  it('is nothing that a person is known by, whatever field it stands in', () => {
    for (const body of [
      { customer: { name: 'Ana', email: 'ana@example.com', phone: '+5511987654321' } },
      { customer: { id: '52998224725' }, buyer: { id: 'ana-souza', created_at: 1 } },
      { subscription: { 'ana@example.com': { id: 'sub_1' } } },
      { customer_details: { tax_ids: [{ type: 'br cpf', value: '52998224725' }] } },
      { payer: { identification: { number: 52998224725 }, first_name: 'Ana' } },
      { id: 'ana@example.com', type: 'Ana Souza', action: ['ana@example.com'], amount: '52998224725' },
      { metadata: { cpf: '52998224725', email: 'ana@example.com' }, subscription: { 'ana@example.com': true } },
      'ana@example.com',
      ['ana@example.com'],
      null,
    ]) {
      assert.deepEqual(scrubbed(body), {}, JSON.stringify(body))
    }
  })

  it('is nothing of a text that can’t be read', () => {
    assert.equal(scrubPayload('email=ana%40example.com'), '{}')
    assert.equal(scrubPayload(''), '{}')
  })
})

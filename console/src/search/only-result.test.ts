import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isNumberOfUser, pathOfOnly } from './only-result.ts'
import type { SearchResult } from './search-result.ts'

const about = (type: SearchResult['type'], id: string, user_id: string | null): SearchResult => ({
  ...{ type, id, title: id, subtitle: '', state: null, user_id },
  path: `/${type}s/${id}/show`,
})

describe('A search that leaves one result', () => {
  it('leads to the user, of whom all of it is', () => {
    assert.equal(pathOfOnly([about('user', 'u', 'u')]), '/users/u/show')
    assert.equal(pathOfOnly([about('user', 'u', 'u'), about('subscription', 's', 'u'), about('notification', 'n', 'u')]), '/users/u/show')
    assert.equal(pathOfOnly([about('subscription', 's', 'u')]), '/users/u/show')
    assert.equal(pathOfOnly([about('subscription', 's', 'u'), about('subscription', 't', 'u')]), '/users/u/show')
  })

  it('leads to the purchase where it has no user, and to whatever else was found alone', () => {
    assert.equal(pathOfOnly([about('subscription', 's', null), about('notification', 'n', null)]), '/subscriptions/s/show')
    assert.equal(pathOfOnly([about('notification', 'n', 'u')]), '/notifications/n/show')
    assert.equal(pathOfOnly([about('product', 'p', null)]), '/products/p/show')
    assert.equal(pathOfOnly([about('job', 'j', null)]), '/jobs/j/show')
  })

  it('leads nowhere where there is a choice, or nothing', () => {
    assert.equal(pathOfOnly([]), undefined)
    assert.equal(pathOfOnly([about('user', 'u', 'u'), about('user', 'v', 'v')]), undefined)
    assert.equal(pathOfOnly([about('user', 'u', 'u'), about('subscription', 's', null)]), undefined)
    assert.equal(pathOfOnly([about('subscription', 's', null), about('subscription', 't', null)]), undefined)
    assert.equal(pathOfOnly([about('user', 'u', 'u'), about('product', 'p', null)]), undefined)
  })
})

describe('A CPF, a CNPJ or a phone', () => {
  it('is known by its digits, however it is written', () => {
    for (const typed of [
      '529.982.247-25',
      '52998224725',
      '11.444.777/0001-61',
      '12.ABC.345/01DE-35',
      '12abc34501de35',
      '(11) 98888-7777',
      '+55 11 98888-7777',
    ])
      assert.ok(isNumberOfUser(typed), typed)
    for (const typed of [
      'joao',
      'joao@example.com',
      '12345',
      'pi_52998224725',
      '132871946055',
      'Ana Maria 1990',
      '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
    ])
      assert.ok(!isNumberOfUser(typed), typed)
  })
})

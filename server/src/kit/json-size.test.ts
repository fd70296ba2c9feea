import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasFewValues } from './json-size.ts'

describe('The size of a JSON text', () => {
  it('W2: counts members and lists, and nothing that stands in a string', () => {
    for (const [text, count] of [
      ['{}', 1],
      ['[1,2,3]', 3],
      ['{"a":[{},{}],"b":1}', 6],
      [JSON.stringify({ a: '[{,"\\"[,', b: '\\' }), 2],
      ['[[[[', 4],
    ] as const) {
      assert.equal(hasFewValues(text, count), true, text)
      assert.equal(hasFewValues(text, count - 1), false, text)
    }
  })
})

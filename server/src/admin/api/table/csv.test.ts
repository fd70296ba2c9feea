import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvLine, valueAt } from './csv.ts'

describe('A line of an export', () => {
  for (const name of ['=HYPERLINK("http://evil.example","x")', '+1+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', "=cmd|' /C calc'!A0"]) {
    it(`gives a spreadsheet no formula to run: ${JSON.stringify(name)}`, () => {
      assert.equal(csvLine([name]).replace(/^"/, '')[0], "'")
    })
  }

  for (const name of ['Ana;=1+1', 'Ana\n=1+1', 'Ana\t@SUM(A1)', '\n=1', '＝1+1', 'Ana; =1+1', 'Ana;"=1+1', 'Ana; "\t"=1+1']) {
    it(`gives none to a spreadsheet that parts cells by another sign either, as those of Brazil do: ${JSON.stringify(name)}`, () => {
      assert.doesNotMatch(csvLine([name]), /(?:^|[;\t\r\n])["\s]*[=+\-@＝]/)
    })
  }

  it('quotes what would break the table apart, and keeps every character', () => {
    assert.equal(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain', { a: 1 }]), '"a,b","say ""hi""","two\nlines",plain,"{""a"":1}"\r\n')
  })

  it('leaves numbers numbers, also below zero, and absent values empty', () => {
    assert.equal(csvLine([-100, true, null, undefined, false]), '-100,true,,,false\r\n')
  })

  it('takes values from groups of fields, and nothing from where there is none', () => {
    assert.deepEqual(
      ['a.b', 'a', 'c.d', 'e.f', 'a.constructor'].map((path) => valueAt({ a: { b: 1 }, c: null }, path)),
      [1, { b: 1 }, undefined, undefined, undefined],
    )
  })
})

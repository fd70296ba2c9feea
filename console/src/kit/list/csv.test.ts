import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toCsv } from './csv.ts'

const only = [{ name: 'name', value: (row: string) => row }]

describe('An export', () => {
  for (const name of ['=HYPERLINK("http://evil.example","x")', '+1+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', "=cmd|' /C calc'!A0"]) {
    it(`gives a spreadsheet no formula to run: ${JSON.stringify(name)}`, () => {
      const written = toCsv(only, [name]).slice('name\r\n'.length)
      const bare = written.replace(/^"/, '')
      assert.equal(bare[0], "'")
    })
  }

  for (const name of ['Ana;=1+1', 'Ana\n=1+1', 'Ana\t@SUM(A1)', '\n=1', '＝1+1', 'Ana; =1+1']) {
    it(`gives none to a spreadsheet that parts cells by another sign either, as those of Brazil do: ${JSON.stringify(name)}`, () => {
      const written = toCsv(only, [name]).slice('name\r\n'.length)
      assert.doesNotMatch(written, /(?:^|[;\t\r\n])["\s]*[=+\-@＝]/)
    })
  }

  it('quotes what would break the table apart, and keeps every character', () => {
    assert.equal(toCsv(only, ['a,b', 'say "hi"', 'two\nlines', 'plain']), 'name\r\n"a,b"\r\n"say ""hi"""\r\n"two\nlines"\r\nplain\r\n')
  })

  it('leaves numbers numbers, also below zero, and absent values empty', () => {
    const columns = [
      { name: 'price', value: ({ price }: { price: number | null }) => price },
      { name: 'paid', value: ({ price }: { price: number | null }) => price !== null },
    ]
    assert.equal(toCsv(columns, [{ price: -100 }, { price: null }]), 'price,paid\r\n-100,true\r\n,false\r\n')
  })

  it('guards its own headings too', () => {
    assert.equal(toCsv([{ name: '=x', value: () => 'a' }], [1]), "'=x\r\na\r\n")
  })
})

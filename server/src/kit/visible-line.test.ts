import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isVisibleLine } from './visible-line.ts'

describe('A line that users read', () => {
  for (const text of ['Ana', 'Zé', 'نور', 'שרה', '李', '👩‍💻', "O'Hara-Souza", 'می‌خواهم'])
    it(`W11: may be ${text}`, () => assert.equal(isVisibleLine(text, 60), true))

  it('W11: is not one of nothing visible, of several lines, or that turns the direction of what follows', () => {
    const hidden = [
      '',
      ' ',
      '\u200b',
      '\u3164',
      '\uffa0',
      '\u115f\u1160',
      '\u034f',
      '\ufe0f',
      '\u2060',
      '\u200e\u200f',
      '\u2800',
      '\u0301',
      '\u00ad',
      '\u{e0041}',
    ]
    for (const text of [...hidden, ...hidden.map((one) => ` ${one}${one} `)])
      assert.equal(isVisibleLine(text, 60), false, JSON.stringify(text))
    for (const mark of ['\n', '\u0000', '\u0085', '\u2028', '\u2029', '\u202e', '\u2066', '\u2069'])
      assert.equal(isVisibleLine(`Ana${mark}Souza`, 60), false, JSON.stringify(mark))
    assert.equal(isVisibleLine('a'.repeat(61), 60), false)
  })
})

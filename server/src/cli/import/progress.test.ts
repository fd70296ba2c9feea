import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { createProgress } from './progress.ts'

/** All that is said while `steps` lines are done, `msALine` each, of 1,000. */
function saidOf({ isTTY, steps, msALine }: { isTTY: boolean; steps: number; msALine: number }): string {
  let text = ''
  const stderr = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        text += chunk
        done()
      },
    }),
    { isTTY },
  )
  let at = 0
  const progress = createProgress((lines) => lines / 1_000, { stderr, now: () => at })
  for (let line = 0; line < steps; line++) {
    at += msALine
    progress.step()
  }
  progress.end()
  return text
}

describe('The progress of an import', () => {
  it('is a line every five seconds, with the time that is left', () => {
    assert.equal(
      saidOf({ isTTY: false, steps: 250, msALine: 50 }),
      'portaria: 100 lines, 10 %, about 45 s left\nportaria: 200 lines, 20 %, about 40 s left\n',
    )
    assert.match(saidOf({ isTTY: false, steps: 10, msALine: 1_000 }), /5 lines, 0 %, about 17 min left/)
  })

  it('is one line that changes on a terminal, and goes at the end', () => {
    const said = saidOf({ isTTY: true, steps: 4, msALine: 150 })
    assert.equal(
      said,
      '\r\u001b[K2 lines, 0 %, about 3 min left\r\u001b[K4 lines, 0 %, about 3 min left\r\u001b[K'.replaceAll('\u001b', '\u{1b}'),
    )
  })

  it('is nothing for an import that is done at once', () => {
    assert.equal(saidOf({ isTTY: true, steps: 3, msALine: 1 }), '')
  })
})

import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { createActivity, createProgress } from './progress.ts'

interface Work {
  isTTY: boolean
  steps: number
  msAStep: number
  elsewhere?: 'nothing' | 'lines'
  /** Undefined: it is unknown how many there are. */
  total?: number | undefined
}

/** All that is said while `steps` things are done. */
function saidOf({ isTTY, steps, msAStep, elsewhere = 'lines', total = 1_000 }: Work): string {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  let at = 0
  const progress = createProgress('lines', { stderr: Object.assign(stream, { isTTY }) }, { elsewhere, now: () => at })
  for (let count = 1; count <= steps; count++) {
    at += msAStep
    progress.at(count, total === Number.POSITIVE_INFINITY ? undefined : count / total)
  }
  progress.end()
  return text
}

const CLEAR = '\r\u{1b}[K'

describe('The progress of a long command', () => {
  it('is one line that changes on a terminal, from the second second on, and goes at the end', () => {
    assert.equal(
      saidOf({ isTTY: true, steps: 4, msAStep: 500 }),
      `${CLEAR}2 lines, 0 %, about 9 min left${CLEAR}3 lines, 0 %, about 9 min left${CLEAR}4 lines, 0 %, about 9 min left${CLEAR}`,
    )
    assert.match(saidOf({ isTTY: true, steps: 900, msAStep: 10 }), /900 lines, 90 %, about [12] s left/)
  })

  it('says how long it has taken where nobody knows how many there are', () => {
    assert.equal(
      saidOf({ isTTY: true, steps: 3, msAStep: 600, total: Number.POSITIVE_INFINITY }),
      `${CLEAR}2 lines, 2 s so far${CLEAR}3 lines, 2 s so far${CLEAR}`,
    )
  })

  it('is nothing in a pipe, or a line every five seconds where logs are read', () => {
    assert.equal(saidOf({ isTTY: false, steps: 250, msAStep: 50, elsewhere: 'nothing' }), '')
    assert.equal(
      saidOf({ isTTY: false, steps: 250, msAStep: 50 }),
      'portaria: 100 lines, 10 %, about 45 s left\nportaria: 200 lines, 20 %, about 40 s left\n',
    )
    assert.match(saidOf({ isTTY: false, steps: 10, msAStep: 1_000 }), /5 lines, 0 %, about 17 min left/)
  })

  it('is nothing for what is done at once', () => {
    assert.equal(saidOf({ isTTY: true, steps: 9, msAStep: 100 }), '')
  })
})

describe('What a long command is doing', () => {
  const sink = (isTTY: boolean, columns?: number) => {
    let said = ''
    const stream = new Writable({
      write(chunk, _encoding, done) {
        said += chunk
        done()
      },
    })
    return { stderr: Object.assign(stream, { isTTY, ...(columns !== undefined && { columns }) }), said: () => said }
  }

  it('is said at a terminal from the second second on, goes on while it is awaited, and goes at the end', (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] })
    let at = 0
    const pass = (ms: number) => {
      at += ms
      context.mock.timers.tick(ms)
    }
    const { stderr, said } = sink(true)
    const activity = createActivity({ stderr }, { now: () => at })
    activity.doing('asking the mail server')
    pass(500)
    assert.equal(said(), '')
    pass(500)
    pass(500)
    activity.doing('asking the service')
    activity.end()
    pass(5_000)
    const lines = ['asking the mail server, 1 s so far', 'asking the mail server, 2 s so far', 'asking the service, 2 s so far', '']
    assert.equal(said(), lines.map((line) => `${CLEAR}${line}`).join(''))
  })

  it('is never wider than the terminal, and nothing in a pipe', () => {
    let at = 0
    for (const [isTTY, expected] of [
      [true, `${CLEAR}asking the identit…${CLEAR}`],
      [false, ''],
    ] as const) {
      const { stderr, said } = sink(isTTY, 20)
      const activity = createActivity({ stderr }, { now: () => (at += 2_000) })
      activity.doing('asking the identity provider')
      activity.end()
      assert.equal(said(), expected)
    }
  })
})

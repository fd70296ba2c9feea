import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { createAdmission } from './admission.ts'
import type { WorkClass } from './work-classes.ts'

const small = { atOnce: 2, inLine: 3, maxWait: 1_000 }
const budgets = { checks: small, pages: small, providers: small, passwords: small, notifications: small, admin: small }

/** In no time: a turn of the event loop has room for all, however slow the machine is. */
const stands = () => 0

/** Enters so many times, and notes what became of each in the order in which it did. */
function enter(admission: ReturnType<typeof createAdmission>, work: WorkClass, times: number, done: string[] = []): string[] {
  for (let n = 0; n < times; n++)
    admission.enter(
      work,
      () => done.push(`begun ${n}`),
      () => done.push(`shed ${n}`),
    )
  return done
}

describe('Admission', () => {
  it('begins at once what has room, keeps the next ones in line, and sheds the rest a moment later', async () => {
    const admission = createAdmission({ budgets, now: stands })
    const startedAt = performance.now()
    const done = enter(admission, 'pages', 7)
    assert.deepEqual(done, ['begun 0', 'begun 1'])
    while (done.length < 4) await sleep(10)
    assert.ok(performance.now() - startedAt > 150, 'who is refused at once comes again at once')
    assert.deepEqual(done.toSorted(), ['begun 0', 'begun 1', 'shed 5', 'shed 6'])
    assert.deepEqual([admission.inLine(), admission.admitted().pages, admission.shed().pages], [3, 2, 2])
  })

  it('sheds at once what comes when 1,000 refusals are held', () => {
    const admission = createAdmission({ budgets, now: stands })
    const done = enter(admission, 'pages', 5 + 1_000 + 3)
    assert.deepEqual(done, ['begun 0', 'begun 1', 'shed 1005', 'shed 1006', 'shed 1007'])
  })

  it('begins what waits in the order of its arrival, each when another has left', async () => {
    const admission = createAdmission({ budgets, now: stands })
    const done = enter(admission, 'pages', 5)
    for (let n = 0; n < 3; n++) {
      await turn()
      await turn()
      assert.equal(done.length, 2 + n, 'nobody begins before another leaves')
      admission.leave('pages')
    }
    await turn()
    await turn()
    assert.deepEqual(done, ['begun 0', 'begun 1', 'begun 2', 'begun 3', 'begun 4'])
  })

  it('leaves every other class its own room', () => {
    const admission = createAdmission({ budgets, now: stands })
    enter(admission, 'notifications', 100)
    assert.deepEqual(enter(admission, 'checks', 2), ['begun 0', 'begun 1'])
    assert.equal(admission.shed().checks, 0)
  })

  it('begins no more in a turn of the event loop than its time allows, and gives each class its turn', async () => {
    const wide = { atOnce: 100, inLine: 100, maxWait: 1_000 }
    const all = { ...budgets, pages: wide, checks: wide }
    let at = 0
    const admission = createAdmission({ budgets: all, now: () => at })
    const begun: string[] = []
    const work = (name: WorkClass) => () => {
      begun.push(name)
      at += 1
    }
    for (let n = 0; n < 20; n++) admission.enter('pages', work('pages'), assert.fail)
    for (let n = 0; n < 3; n++) admission.enter('checks', work('checks'), assert.fail)
    assert.equal(begun.length, 4, 'four milliseconds as it arrives')
    await turn()
    assert.equal(begun.length, 8, 'and four more after the sockets')
    assert.deepEqual(begun.slice(4).toSorted(), ['checks', 'checks', 'pages', 'pages'])
    for (let n = 0; n < 10; n++) await turn()
    assert.equal(begun.length, 23)
  })

  it('sheds what has waited for more than a second, though nothing ever leaves', async () => {
    let at = 0
    const admission = createAdmission({ budgets, now: () => at })
    const done = enter(admission, 'admin', 4)
    await sleep(300)
    assert.equal(done.length, 2)
    at = 1_001
    for (let n = 0; n < 100 && done.length < 4; n++) await sleep(20)
    assert.deepEqual(done.slice(2), ['shed 2', 'shed 3'])
    assert.equal(admission.inLine(), 0)
  })

  it('gives the place of a promise back when it is kept, and when it is broken', async () => {
    const admission = createAdmission({ budgets, now: stands })
    for (let n = 0; n < 3; n++) {
      assert.equal(await admission.run('checks', async () => 'kept'), 'kept')
      await assert.rejects(
        admission.run('checks', () => Promise.reject(new Error('broken'))),
        /broken/,
      )
    }
    const never = new Promise<never>(() => {})
    for (let n = 0; n < 5; n++) void admission.run('checks', () => never)
    assert.equal(await admission.run('checks', () => never), 'shed')
  })
})

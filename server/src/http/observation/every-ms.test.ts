import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { everyMs } from './every-ms.ts'

it('A silent database is asked once, however long it is silent and however many ask', async () => {
  const answers: PromiseWithResolvers<number>[] = []
  const ask = everyMs(1, () => {
    const answer = Promise.withResolvers<number>()
    answers.push(answer)
    return answer.promise
  })
  const asked = [ask(), ask()]
  await wait(20)
  asked.push(ask())
  assert.equal(answers.length, 1)
  answers[0]?.resolve(1)
  assert.deepEqual(await Promise.all(asked), [1, 1, 1])
  // Its answer is older than a millisecond.
  const later = ask()
  assert.equal(answers.length, 2)
  answers[1]?.reject(new Error('away'))
  await assert.rejects(later, /away/)
  await wait(2)
  void ask()
  assert.equal(answers.length, 3, 'a fault is no answer for ever')
})

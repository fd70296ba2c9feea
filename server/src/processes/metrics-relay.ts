import type { ChildProcess } from 'node:child_process'
import type { FromChild, FromParent } from './messages.ts'

/** A process that takes longer, as one that was stopped, is left out. */
const ANSWER_MS = 2_000

interface Question {
  missing: Set<ChildProcess>
  metrics: object[]
  answer(): void
}

/** Collects the numbers of all processes for the one that asks. */
export function createMetricsRelay(serving: () => ChildProcess[]) {
  const questions = new Map<number, Question>()
  let asked = 0

  function ask(asker: ChildProcess, asksAs: number): void {
    asked += 1
    const id = asked
    const timer = setTimeout(() => questions.get(id)?.answer(), ANSWER_MS)
    const question: Question = {
      missing: new Set(serving()),
      metrics: [],
      answer() {
        clearTimeout(timer)
        questions.delete(id)
        notify(asker, { type: 'all_metrics', id: asksAs, metrics: question.metrics })
      },
    }
    questions.set(id, question)
    for (const child of question.missing) notify(child, { type: 'report_metrics', id })
  }
  function crossOff(child: ChildProcess, question: Question): void {
    if (question.missing.delete(child) && question.missing.size === 0) question.answer()
  }
  return {
    take(child: ChildProcess, message: FromChild): void {
      if (message.type === 'read_metrics') ask(child, message.id)
      if (message.type !== 'own_metrics') return
      const question = questions.get(message.id)
      question?.metrics.push(message.metrics)
      if (question) crossOff(child, question)
    },
    /** It has ended: nobody waits for its answer. */
    forget(child: ChildProcess): void {
      for (const question of questions.values()) crossOff(child, question)
    },
  }
}

/** A process that has just ended takes no message, and needs none. */
export function notify(child: ChildProcess, message: FromParent): void {
  if (child.connected) child.send(message, () => {})
}

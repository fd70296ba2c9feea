import { addUp } from './add-up.ts'
import type { Member } from './members.ts'
import type { FromChild, Metric } from './messages.ts'

/** A process that takes longer, as one that was stopped, is taken to have its last numbers. */
const ANSWER_MS = 2_000

interface Question {
  missing: Set<Member>
  answer(): void
}

/** Collects the numbers of all processes for the one that asks. What ended processes have counted goes on counting. */
export function createMetricsRelay(serving: () => Member[]) {
  const questions = new Map<number, Question>()
  const last = new Map<Member, Metric[]>()
  let ended: Metric[] = []
  let asked = 0

  function ask(asker: Member, asksAs: number): void {
    asked += 1
    const id = asked
    const timer = setTimeout(() => questions.get(id)?.answer(), ANSWER_MS)
    const everyone = serving()
    const question: Question = {
      missing: new Set(everyone),
      answer() {
        clearTimeout(timer)
        questions.delete(id)
        const isNew = (member: Member) => everyone.includes(member) && !question.missing.has(member)
        const metrics = [...last].map(([member, numbers]) => (isNew(member) ? numbers : addUp([], numbers)))
        asker.notify({ type: 'all_metrics', id: asksAs, metrics: [...metrics, ended] })
      },
    }
    questions.set(id, question)
    for (const member of question.missing) member.notify({ type: 'report_metrics', id })
  }
  function crossOff(member: Member, question: Question): void {
    if (question.missing.delete(member) && question.missing.size === 0) question.answer()
  }
  return {
    take(member: Member, message: FromChild): void {
      if (message.type === 'read_metrics') ask(member, message.id)
      if (message.type !== 'own_metrics') return
      last.set(member, message.metrics)
      const question = message.id === undefined ? undefined : questions.get(message.id)
      if (question) crossOff(member, question)
    },
    /** It has ended: nobody waits for its answer. */
    forget(member: Member): void {
      ended = addUp(ended, last.get(member) ?? [])
      last.delete(member)
      for (const question of questions.values()) crossOff(member, question)
    },
  }
}

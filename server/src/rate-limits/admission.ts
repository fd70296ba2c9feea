import { holdRefusals } from './held-refusals.ts'
import { type Lane, refuse, start } from './lane.ts'
import { createLines } from './lines.ts'
import { createTurn } from './turn.ts'
import { BUDGETS, type Budget, WORK_CLASSES, type WorkClass } from './work-classes.ts'

export interface Admission {
  /**
   * Calls `begin` when it is the turn of this work: at once, where there is room and the turn of the event loop has time left, else in one
   * of the next turns. Calls `shed` instead when the turn has not come in time, or, a moment later, when the line is full. One of both is
   * called, once.
   * After `begin` the caller calls `leave`, once, when the work is done.
   */
  enter(work: WorkClass, begin: () => void, shed: () => void): void
  leave(work: WorkClass): void
  /** The same for work that is a promise. */
  run<T>(work: WorkClass, begin: () => Promise<T>): Promise<T | 'shed'>
  /** So far. */
  admitted(): Readonly<Record<WorkClass, number>>
  shed(): Readonly<Record<WorkClass, number>>
  /** At the moment. */
  inProgress(): number
  inLine(): number
}

export interface AdmissionDeps {
  budgets?: Readonly<Record<WorkClass, Budget>>
  /** In ms, for times between two moments. */
  now?: () => number
}

export function createAdmission({ budgets = BUDGETS, now = () => performance.now() }: AdmissionDeps = {}): Admission {
  const lanes = WORK_CLASSES.map((work): Lane => ({ ...budgets[work], work, inProgress: 0, line: [], admitted: 0, shed: 0 }))
  const laneOf = Object.fromEntries(lanes.map((lane) => [lane.work, lane])) as Record<WorkClass, Lane>
  const hasTime = createTurn(now)
  const lines = createLines(lanes, now)
  const hold = holdRefusals()
  const count = (what: 'admitted' | 'shed') => Object.fromEntries(lanes.map((lane) => [lane.work, lane[what]])) as Record<WorkClass, number>
  const admission: Admission = {
    enter(work, begin, shed) {
      const lane = laneOf[work]
      if (lane.line.length === 0 && lane.inProgress < lane.atOnce && hasTime()) start(lane, begin)
      else if (lane.line.length < lane.inLine) lines.add(lane, { begin, shed, since: now() })
      else hold(() => refuse(lane, shed))
    },
    leave(work) {
      const lane = laneOf[work]
      lane.inProgress--
      if (lane.line.length > 0) lines.goOn()
    },
    run: (work, begin) =>
      new Promise((resolve, reject) => {
        const end = () => admission.leave(work)
        const beginNow = () => {
          const begun = begin()
          begun.then(end, end)
          begun.then(resolve, reject)
        }
        admission.enter(work, beginNow, () => resolve('shed'))
      }),
    admitted: () => count('admitted'),
    shed: () => count('shed'),
    inProgress: () => lanes.reduce((sum, { inProgress }) => sum + inProgress, 0),
    inLine: () => lanes.reduce((sum, { line }) => sum + line.length, 0),
  }
  return admission
}

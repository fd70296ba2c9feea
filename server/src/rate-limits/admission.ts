/**
 * The classes of work, each with a budget of its own, so that a storm of one leaves the others alone. `checks`: questions of apps and
 * proxies, and verifications. `providers`: what waits for the servers of others. `passwords`: what computes a password's hash.
 */
export const WORK_CLASSES = ['checks', 'pages', 'providers', 'passwords', 'notifications', 'admin'] as const
export type WorkClass = (typeof WORK_CLASSES)[number]

interface Budget {
  /** In progress at a time. */
  atOnce: number
  /** Further ones that may wait for their turn. */
  inLine: number
  /** Ms. Work that has waited for longer is shed: its sender may have given up, and would come again behind it. */
  maxWait: number
}

/**
 * In one process. What costs a millisecond or more has few in progress, since what goes on after a pause is not begun anew.
 * Notifications gain from company, as those that come together share a commit; a password's own queue is shorter than what is in
 * progress here, so that a form can still say so; a provider may take eight seconds, in which the process has nothing to do.
 */
const BUDGETS: Readonly<Record<WorkClass, Budget>> = {
  // One that is shed says that nobody is signed in: it waits for as long as an app may.
  checks: { atOnce: 16, inLine: 304, maxWait: 5_000 },
  pages: { atOnce: 128, inLine: 128, maxWait: 1_000 },
  providers: { atOnce: 256, inLine: 64, maxWait: 1_000 },
  // Their number alone bounds them: who has typed a password waits a moment rather than types it again. They may all come in one turn.
  passwords: { atOnce: 96, inLine: 128, maxWait: 30_000 },
  notifications: { atOnce: 64, inLine: 256, maxWait: 1_000 },
  admin: { atOnce: 8, inLine: 120, maxWait: 1_000 },
}

/**
 * The time of one turn of the event loop in which work is begun as it arrives, and the time after it for what waits in line. Both are over
 * before the next look at the sockets, so that a check waits for little more than this.
 */
const TURN_MS = 4
const LOOK_MS = 250
/** Beginnings prepared for one turn: more than fit into its time. */
const MAX_STEPS = 128

export interface Admission {
  /**
   * Calls `begin` when it is the turn of this work: at once, where there is room and the turn of the event loop has time left, else in one
   * of the next turns. Calls `shed` instead when the line is full, or the turn has not come in time. One of both is called, once.
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

interface Waiting {
  begin: () => void
  shed: () => void
  since: number
}

type Lane = Budget & { work: WorkClass; inProgress: number; line: Waiting[]; admitted: number; shed: number }

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
  const count = (what: 'admitted' | 'shed') => Object.fromEntries(lanes.map((lane) => [lane.work, lane[what]])) as Record<WorkClass, number>
  const admission: Admission = {
    enter(work, begin, shed) {
      const lane = laneOf[work]
      if (lane.line.length === 0 && lane.inProgress < lane.atOnce && hasTime()) start(lane, begin)
      else if (lane.line.length < lane.inLine) lines.add(lane, { begin, shed, since: now() })
      else refuse(lane, shed)
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

function start(lane: Lane, begin: () => void): void {
  lane.inProgress++
  lane.admitted++
  begin()
}

function refuse(lane: Lane, shed: () => void): void {
  lane.shed++
  shed()
}

/** Answers whether this turn of the event loop has time left. It ends with the next callbacks of `setImmediate`, after those of sockets. */
function createTurn(now: () => number): () => boolean {
  let beganAt: number | undefined
  const end = () => (beganAt = undefined)
  return () => {
    const at = now()
    if (beganAt === undefined) {
      beganAt = at
      setImmediate(end)
    }
    return at - beganAt < TURN_MS
  }
}

/**
 * The lines of all classes, each of which gets a beginning in turn. Beginnings are callbacks of their own, because what one begins runs to
 * its first pause only between two of them: else the clock would be asked too early.
 */
function createLines(lanes: readonly Lane[], now: () => number): { add(lane: Lane, waiting: Waiting): void; goOn(): void } {
  let steps = 0
  let next = 0
  let isLooking = false
  const hasTime = createTurn(now)
  const roomIn = ({ atOnce, inProgress }: Lane) => Math.max(0, atOnce - inProgress)
  const goOn = () => {
    const ready = lanes.reduce((sum, lane) => sum + Math.min(lane.line.length, roomIn(lane)), 0)
    for (; steps < Math.min(ready, MAX_STEPS); steps++) setImmediate(step)
  }
  const step = () => {
    steps--
    if (hasTime()) beginNext(now())
    if (steps === 0) goOn()
  }
  const beginNext = (at: number) => {
    for (let tried = 0; tried < lanes.length; tried++) {
      const lane = lanes[next++ % lanes.length]
      const first = lane && roomIn(lane) > 0 ? lane.line.shift() : undefined
      if (!lane || !first) continue
      if (at - first.since > lane.maxWait) refuse(lane, first.shed)
      else start(lane, first.begin)
      return
    }
  }
  const lookLater = () => {
    isLooking = lanes.some(({ line }) => line.length > 0)
    if (isLooking) setTimeout(shedLate, LOOK_MS).unref()
  }
  /** Without this, work would wait for as long as all that is in progress hangs. */
  const shedLate = () => {
    const at = now()
    for (const lane of lanes)
      for (let first = lane.line[0]; first && at - first.since > lane.maxWait; first = lane.line[0]) refuseFirst(lane)
    lookLater()
  }
  return {
    goOn,
    add(lane, waiting) {
      lane.line.push(waiting)
      if (!isLooking) lookLater()
      goOn()
    },
  }
}

function refuseFirst(lane: Lane): void {
  const first = lane.line.shift()
  if (first) refuse(lane, first.shed)
}

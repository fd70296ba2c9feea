import { type Lane, refuse, start, type Waiting } from './lane.ts'
import { createTurn } from './turn.ts'

const LOOK_MS = 250

/** Beginnings prepared for one turn: more than fit into its time. */
const MAX_STEPS = 128

/**
 * The lines of all classes, each of which gets a beginning in turn. Beginnings are callbacks of their own, because what one begins runs to
 * its first pause only between two of them: else the clock would be asked too early.
 */
export function createLines(lanes: readonly Lane[], now: () => number): { add(lane: Lane, waiting: Waiting): void; goOn(): void } {
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

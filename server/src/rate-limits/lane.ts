import type { Budget, WorkClass } from './work-classes.ts'

export interface Waiting {
  begin: () => void
  shed: () => void
  since: number
}

export type Lane = Budget & { work: WorkClass; inProgress: number; line: Waiting[]; admitted: number; shed: number }

export function start(lane: Lane, begin: () => void): void {
  lane.inProgress++
  lane.admitted++
  begin()
}

export function refuse(lane: Lane, shed: () => void): void {
  lane.shed++
  shed()
}

/** A run in the API's form: the service processes again every notification that waits or failed since a moment. */
export interface Run {
  id: string
  since: string
  state: 'running' | 'done' | 'stopped'
  actor: string
  total: number
  done: number
  processed: number
  /** The notifications whose gateways it had asked again, and their states by now. */
  asked: number
  asked_by_now: { awaiting: number; processed: number; failed: number; other: number }
  /** The number of notifications that still wait, by reason. */
  pending: Record<string, number>
  created_at: string
  finished_at: string | null
}

/** The numbers of notifications that a run since a moment would process. */
export interface Open {
  unresolved: number
  failed: number
  awaiting_gateway: number
}

const RUNNING_MS = 1_000
const ASKING_MS = 2_000
/** The time for which an open page follows the gateways' answers. Gateways are asked for two days, but no page is watched for so long. */
const WATCHED_MS = 10 * 60_000
/** A run that ended while nobody looked is shown for so long. */
const SHOWN_MS = 60 * 60_000

/** When the run is worth another look, in ms; `false`: it is over. */
export function nextLook(run: Run | undefined, now: number): number | false {
  if (run === undefined) return false
  if (run.state === 'running') return RUNNING_MS
  return run.asked_by_now.awaiting > 0 && isWithin(run, WATCHED_MS, now) ? ASKING_MS : false
}

/** Whether the run is shown: it is under way, or ended lately and nobody has closed it here. */
export function isShown(run: Run, closed: string, now: number): boolean {
  return run.state === 'running' || (run.id !== closed && isWithin(run, SHOWN_MS, now))
}

function isWithin({ finished_at }: Run, ms: number, now: number): boolean {
  return finished_at !== null && now - Date.parse(finished_at) < ms
}

/** The percentage of a run that is done. */
export function percentOf({ done, total, state }: Pick<Run, 'done' | 'total' | 'state'>): number {
  if (state === 'done' || total === 0) return 100
  return Math.min(100, Math.floor((done * 100) / total))
}

/** The results of a run so far, those of the gateways' answers among them. */
export function resultOf({ processed, pending, asked_by_now: asked }: Run) {
  return {
    processed: processed + asked.processed,
    awaiting: asked.awaiting,
    failed: asked.failed,
    pending: Object.values(pending).reduce((sum, count) => sum + count, 0),
  }
}

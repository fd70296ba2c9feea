import { DAY_MS } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'

/** The kinds of work; each has one handler. */
export type JobKind =
  | 'mail'
  | 'sign_up_mail'
  | 'recovery_mail'
  | 'account_deleted_mail'
  | 'fetch_payment'
  | 'process_pending'
  | 'run_notifications'
  | OpenJobKind

/** Their payloads are ids alone, and not sealed: whoever writes one needs no key. */
export type OpenJobKind = 'backchannel_logout'

const OPEN: ReadonlySet<string> = new Set<OpenJobKind>(['backchannel_logout'])

export function isOpenKind(kind: string): boolean {
  return OPEN.has(kind)
}

/** These leave no dead letter: their user is removed, and nothing may keep the address. */
const TRACELESS: ReadonlySet<string> = new Set<JobKind>(['account_deleted_mail'])

export function leavesNoTrace({ kind }: Pick<Job, 'kind'>): boolean {
  return TRACELESS.has(kind)
}

export interface NewJob {
  kind: Exclude<JobKind, OpenJobKind>
  /** The id of what it is about, where one job of its kind is enough: a second one makes the first due again. Left out, it gets one. */
  id?: string
  /** Any JSON. It is sealed at rest, since it may hold a one-time link. */
  payload: unknown
  /**
   * The API that it asks, and for which product, as `asaas/<product>`. The jobs of a lane wait together when that API says when to come
   * again. Neither one lane nor all lanes of one API take all places of a worker. Left out for jobs that call no slow API.
   */
  lane?: `${string}/${string}`
}

/** A job as its worker holds it. `attempts` includes this one. */
export interface Job {
  id: string
  kind: string
  payload: unknown
  lane: string | undefined
  attempts: number
  /** By this the worker knows that the lease is still its own (ms, the database's time). */
  leasedUntil: number
}

/** A job as the operator sees it. Its payload is left out: it may hold a one-time link. */
export interface JobRecord {
  id: string
  kind: string
  /** The number of begun attempts. */
  attempts: number
  createdAt: number
  /** When it is due, but not before its lane's pause ends; of a dead letter, when it was last due. */
  runAt: number
  leasedUntil: number | undefined
  /** When it was given up: then it is a dead letter, and only the operator retries it. */
  deadAt: number | undefined
  lastError: string | undefined
}

export type JobState = 'pending' | 'running' | 'dead'

export function jobState({ deadAt, leasedUntil }: JobRecord, now: number): JobState {
  if (deadAt !== undefined) return 'dead'
  return leasedUntil !== undefined && leasedUntil > now ? 'running' : 'pending'
}

/** Does one job. After a crash it may run again. Throws to be tried later. */
export type JobHandler = (payload: unknown, job: { id: string; attempts: number; signal: AbortSignal }) => Promise<void>

/** A job that is given up at this moment: why, when its last attempt began (ms), and how long that took (ms). */
export interface GivenUp {
  id: string
  /** `undefined` when it does not open with this master key. */
  payload: unknown
  why: string
  begunAt: number
  ms: number
}

/** Says what is not done, in the transaction that makes the job a dead letter: neither is there without the other. */
export type OnGivenUp = (tx: Transaction, job: GivenUp) => Promise<void>

/** Thrown by a handler that knows the earliest time of the next try, as from `Retry-After`. The whole lane of its job waits until then. */
export class TryLater extends Error {
  /** A day at most. */
  readonly afterMs: number
  constructor(message: string, afterMs: number) {
    super(message)
    this.afterMs = Math.min(afterMs, DAY_MS)
  }
}

/** Thrown by a handler when another try can't help. */
export class FatalJobFault extends Error {}

/** Where a job's payload is sealed. */
export const payloadPlace = (id: string) => `outbox.payload_sealed.${id}`

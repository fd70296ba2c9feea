/** Milliseconds since 1970, as a function, so that tests control the time. */
export type Now = () => number

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A smaller difference is ignored: a synchronised clock is never corrected. */
const LEFT_ALONE_MS = 500
/** From this difference on the operator is warned. */
const REPORTED_FROM_MS = 3_000
/** Beyond this nobody can say which of two clocks is wrong. */
const WRONG_FROM_MS = HOUR_MS

/** A reading of another clock between two of one's own, in ms. */
export interface Reading {
  askedAt: number
  answeredAt: number
  /** The other clock's time; `undefined` where there is no other. */
  time: number | undefined
}

/** This machine's clock, corrected to the database's. All nodes share that one, so they agree about what has expired. */
export interface Clock {
  now: Now
  /** A time given as an argument, which is nobody's clock: the database's says nothing about it. */
  isGiven: boolean
  /** How often `now` has gone back by more than a second. */
  setBacks(): number
  /** The machine's own time, for readings. */
  own: Now
  /** The machine's time less the database's, in ms, as last measured. */
  aheadMs(): number
  /** `off`: a difference of more than a few seconds, which is corrected and should be fixed. `wrong`: more than an hour. */
  state(): ClockState
  compare(reading: Reading): void
}

export type ClockState = 'right' | 'off' | 'wrong'

/** `onState` is called at each change of the state. */
export function createClock({
  own = Date.now,
  onState = () => {},
}: {
  own?: Now
  onState?: ((clock: Clock) => void) | undefined
} = {}): Clock {
  let correction = 0
  let ahead = 0
  let state: ClockState = 'right'
  const clock: Clock = {
    own,
    isGiven: false,
    ...countSetBacks(() => own() + correction),
    aheadMs: () => ahead,
    state: () => state,
    compare({ askedAt, answeredAt, time }) {
      if (time === undefined) return
      const uncertainty = Math.abs(answeredAt - askedAt) / 2
      const measured = Math.round(time - (askedAt + answeredAt) / 2)
      if (Math.abs(measured - correction) <= LEFT_ALONE_MS + uncertainty) return
      correction = measured
      ahead = -measured
      const before = state
      state = clockState(ahead)
      if (state !== before) onState(clock)
    },
  }
  return clock
}

/** A clock that is never corrected, for a time given as an argument. */
export function fixedClock(now: Now): Clock {
  return { ...countSetBacks(now), isGiven: true, own: now, aheadMs: () => 0, state: () => 'right', compare: () => {} }
}

/** Two nodes differ by less, and a correction may be as large. */
export const SET_BACK_MS = 1_000

/** Counts at each reading how often the clock was set back: no time that was ever given out goes unnoticed. */
function countSetBacks(read: Now): Pick<Clock, 'now' | 'setBacks'> {
  let latest = Number.NEGATIVE_INFINITY
  let count = 0
  return {
    setBacks: () => count,
    now() {
      const at = read()
      if (at < latest - SET_BACK_MS) count++
      if (at > latest || at < latest - SET_BACK_MS) latest = at
      return at
    },
  }
}

/**
 * Fixes what a clock has written that was set back since, and again until that succeeds. `unknown` at the first look: nobody knows what
 * time an earlier process saw.
 */
export function fixOnSetBack(
  { now, setBacks }: Pick<Clock, 'now' | 'setBacks'>,
  fix: (wasSetBack: 'yes' | 'unknown') => Promise<void>,
): () => Promise<void> {
  let fixed: number | undefined
  return async () => {
    now()
    const count = setBacks()
    if (count === fixed) return
    await fix(fixed === undefined && count === 0 ? 'unknown' : 'yes')
    fixed = count
  }
}

export function clockState(aheadMs: number): ClockState {
  const distance = Math.abs(aheadMs)
  return distance > WRONG_FROM_MS ? 'wrong' : distance > REPORTED_FROM_MS ? 'off' : 'right'
}

/** A message for the operator about a clock that is `aheadMs` ahead of the database's, with the fix. */
export function describeClock(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return `this machine's clock is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the database's: set both (NTP)`
}

/** A time in ms as ISO 8601 in UTC, as answers and lists show it; `null` for none. */
export function isoTime(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}

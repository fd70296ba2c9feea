/** A moment in ms; without one there is nothing to show. */
export type LocalTime = <T extends number | undefined>(at: T) => T extends undefined ? string | undefined : string

/**
 * Times as people read them: in the operator's zone, to the second, each with the difference from UTC, as `2026-11-23 18:47:18 -03:00`.
 */
export function localTimeIn(zone: string): LocalTime {
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  const format = new Intl.DateTimeFormat('en', { ...digits, timeZone: zone, hourCycle: 'h23', timeZoneName: 'longOffset' })
  const written = (at: number) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? ''
    const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
    return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')} ${offset}`
  }
  return ((at: number | undefined) => (at === undefined ? undefined : written(at))) as LocalTime
}

/** The moment (ms) at which clocks of a zone show a time, as `2026-11-23T18:47`. */
export function momentIn(zone: string, local: string): number {
  const shown = localTimeIn(zone)
  const wanted = Date.parse(`${local}Z`)
  const aheadOfUtc = (at: number) => Date.parse(`${shown(at).slice(0, 19)}Z`) - Math.floor(at / 1_000) * 1_000
  // The difference of that day, which may be another a few hours from there.
  const near = wanted - aheadOfUtc(wanted)
  return wanted - aheadOfUtc(near)
}

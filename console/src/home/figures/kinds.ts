import type { Counts } from '../overview.ts'

/** Those that were counted before there were kinds. */
const EARLIER = 'earlier'

/** Refused sign-ins of a period and of the one before by kind, the most frequent first. */
export function kindsOf(days: readonly Counts[], before: Counts): Array<{ kind: string; now: number; former: number }> {
  const [now, former] = [addUp(days), addUp([before])]
  return [...new Set([...now.keys(), ...former.keys()])]
    .map((kind) => ({ kind, now: now.get(kind) ?? 0, former: former.get(kind) ?? 0 }))
    .filter((one) => one.now + one.former > 0)
    .sort((one, other) => other.now - one.now || other.former - one.former || (one.kind < other.kind ? -1 : 1))
}

function addUp(all: readonly Counts[]): Map<string, number> {
  const sums = new Map<string, number>()
  const add = (kind: string, count: number) => sums.set(kind, (sums.get(kind) ?? 0) + count)
  for (const { failed_sign_ins, failed_sign_ins_by_kind } of all) {
    const kinds = Object.entries(failed_sign_ins_by_kind)
    for (const [kind, count] of kinds) add(kind, count)
    add(EARLIER, failed_sign_ins - kinds.reduce((sum, [, count]) => sum + count, 0))
  }
  return sums
}

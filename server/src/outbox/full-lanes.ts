/** The numbers of jobs that a worker does at once. */
export interface AtOnce {
  all: number
  /** So that a lane whose API hangs delays no other … */
  ofLane: number
  /** … nor an API whose lanes all hang. */
  ofGroup: number
}

export const USUAL: AtOnce = { all: 4, ofLane: 2, ofGroup: 3 }

/** The lanes, and groups of them, that are full. */
export function fullOnes(underWay: readonly (string | undefined)[], { ofLane, ofGroup }: AtOnce): { lanes: string[]; groups: string[] } {
  const lanes = underWay.filter((lane) => lane !== undefined)
  const groups = lanes.flatMap((lane) => lane.split('/', 1))
  return { lanes: oftenest(lanes, ofLane), groups: oftenest(groups, ofGroup) }
}

export function isFull(lane: string, underWay: readonly (string | undefined)[], atOnce: AtOnce): boolean {
  const { lanes, groups } = fullOnes(underWay, atOnce)
  return lanes.includes(lane) || groups.some((group) => lane.startsWith(`${group}/`))
}

function oftenest(reasons: readonly string[], times: number): string[] {
  return [...new Set(reasons)].filter((reason) => reasons.filter((one) => one === reason).length >= times)
}

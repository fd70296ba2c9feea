/** A range of values with round ends, and its grid lines from the lowest to the highest. Zero is among them. */
export interface Scale {
  lines: number[]
  lowest: number
  highest: number
}

/** Steps of one, two or five, at most so many above zero. */
const MAX_STEPS = 3

export function scaleOf(values: readonly number[]): Scale {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const step = roundStep(Math.max(most, -least, 1) / MAX_STEPS)
  const [below, above] = [Math.ceil(-least / step), Math.max(Math.ceil(most / step), least < 0 ? 0 : 1)]
  const lines = Array.from({ length: below + above + 1 }, (_, place) => (place - below) * step)
  return { lines, lowest: -below * step, highest: above * step }
}

/** The next of 1, 2, 5, 10, 20, 50 … that is no smaller. Values are whole. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, size)))
  const factor = [1, 2, 5, 10].find((one) => one * power >= size) ?? 10
  return factor * power
}

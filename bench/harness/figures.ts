export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * part
  const low = sorted[Math.floor(at)] ?? Number.NaN
  const high = sorted[Math.ceil(at)] ?? Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}

/** A ratio's median with its quartiles, which show the machine's noise. */
export function spread(ratios: readonly number[]): string {
  return `**${median(ratios).toFixed(2)}** (${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)})`
}

/** One row of the report. */
export interface Row {
  figure: string
  value: string
  /** The target, and whether it is met; absent where there is none. */
  target?: { text: string; met: boolean }
  beside: string
}

export function atLeast(least: number, value: number, of = ''): NonNullable<Row['target']> {
  return { text: `≥ ${least}${of}`, met: value >= least }
}

export function atMost(most: number, value: number, unit = ''): NonNullable<Row['target']> {
  return { text: `≤ ${most}${unit}`, met: value <= most }
}

export const tableHead = '| what | figure | to reach | beside it |\n| --- | --- | --- | --- |'

export function tableLine({ figure, value, target, beside }: Row): string {
  return `| ${figure} | ${value} | ${target ? `${target.text} ${target.met ? '✔' : '✖ missed'}` : ''} | ${beside} |`
}

import { encode } from 'uqr'

/** Light modules around the code, which scanners need (ISO/IEC 18004: four). */
const QUIET = 4

/** A text as a square code: the side in modules, quiet zone included, and the dark modules as the path of an SVG, one run a rectangle. */
export function qrCode(text: string): { side: number; path: string } {
  const { data, size } = encode(text, { border: 0 })
  const runs = data.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x + QUIET} ${y + QUIET}h${length}v1h-${length}z`))
  return { side: size + 2 * QUIET, path: runs.join('') }
}

/** Where each run of dark modules begins, and how long it is. */
function runsOf(row: readonly boolean[]): Array<[start: number, length: number]> {
  const starts = row.flatMap((isDark, x) => (isDark && !row[x - 1] ? [x] : []))
  return starts.map((start) => {
    const end = row.indexOf(false, start)
    return [start, (end === -1 ? row.length : end) - start]
  })
}

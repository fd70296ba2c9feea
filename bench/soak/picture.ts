import type { Fault } from './faults.ts'
import type { Observation } from './observations.ts'

const WIDTH = 1_000
const HEIGHT = 90
const LEFT = 20
const TOP = 60
const GAP = 34

const COLOURS: Readonly<Record<Fault['name'], string>> = {
  killed: '#c62828',
  frozen: '#1565c0',
  clock: '#6a1b9a',
  away: '#ef6c00',
  silent: '#9e9d24',
  failover: '#2e7d32',
}

/** Everything that was looked at over the time, one line each above the other, with the faults as stripes: an SVG. */
export function draw(title: string, { observations, faults }: { observations: readonly Observation[]; faults: readonly Fault[] }): string {
  const names = [...new Set(observations.flatMap(({ values }) => Object.keys(values)))].sort()
  const end = observations.at(-1)?.at ?? 1
  const x = (at: number) => LEFT + (at / end) * WIDTH
  const stripes = faults.map(
    ({ name, from, to }) =>
      `<rect x="${x(from).toFixed(1)}" y="${TOP}" width="${Math.max(1, x(to) - x(from)).toFixed(1)}" height="${names.length * (HEIGHT + GAP)}" fill="${COLOURS[name]}" opacity="0.18"/>`,
  )
  const lines = names.map((name, place) => line(name, TOP + place * (HEIGHT + GAP), { observations, x }))
  const legend = Object.entries(COLOURS).map(
    ([name, colour], n) => `<text x="${LEFT + n * 90}" y="46" fill="${colour}" font-weight="bold">${name}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH + 2 * LEFT}" height="${TOP + names.length * (HEIGHT + GAP)}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="24" font-size="16">${title}</text>
${legend.join('\n')}
${stripes.join('\n')}
${lines.join('\n')}
</svg>
`
}

function line(name: string, top: number, { observations, x }: { observations: readonly Observation[]; x: (at: number) => number }): string {
  const seen = observations.flatMap(({ at, values }) => (Number.isFinite(values[name]) ? [{ at, value: values[name] ?? 0 }] : []))
  const most = Math.max(...seen.map(({ value }) => value), 1)
  const points = seen.map(({ at, value }) => `${x(at).toFixed(1)},${(top + GAP + HEIGHT - (value / most) * HEIGHT).toFixed(1)}`)
  return `<text x="${LEFT}" y="${top + GAP - 6}">${name} (largest ${most.toFixed(1)}, at the end ${(seen.at(-1)?.value ?? 0).toFixed(1)})</text>
<line x1="${LEFT}" x2="${LEFT + WIDTH}" y1="${top + GAP + HEIGHT}" y2="${top + GAP + HEIGHT}" stroke="#bbb"/>
<polyline points="${points.join(' ')}" fill="none" stroke="#222" stroke-width="1"/>`
}

import { Box } from '@mui/material'
import type { PointerEvent } from 'react'

const HEIGHT = 100
/** The part of a bar's room that stays free. */
const GAP = 0.25
/** A day with any value is visible. */
const LEAST = 2

interface BarsProps {
  values: readonly number[]
  /** The content of the picture, in a sentence. */
  label: string
  tone: 'primary' | 'error'
  pointed: number | undefined
  onPoint: (index: number | undefined) => void
}

/** One bar a value, from zero to the greatest. */
export function Bars({ values, label, tone, pointed, onPoint }: BarsProps) {
  const most = Math.max(1, ...values)
  const point = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    onPoint(Math.min(values.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * values.length))))
  }
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onPoint(undefined)}
      sx={{ display: 'block', width: '100%', height: 120, borderBottom: 1, borderColor: 'divider', touchAction: 'pan-y' }}
    >
      {values.map((value, i) => {
        const height = value === 0 ? 0 : Math.max(LEAST, (value / most) * HEIGHT)
        return (
          <Box
            component="rect"
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={i}
            x={i + GAP / 2}
            y={HEIGHT - height}
            width={1 - GAP}
            height={height}
            sx={{ fill: 'currentColor', color: `${tone}.main`, opacity: pointed === undefined || pointed === i ? 1 : 0.45 }}
          />
        )
      })}
    </Box>
  )
}

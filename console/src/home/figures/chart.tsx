import { Box } from '@mui/material'
import type { KeyboardEvent, PointerEvent } from 'react'
import { scaleOf } from './scale.ts'

const HEIGHT = 100
/** The part of a bar's room that stays free. */
const GAP = 0.25
const NARROW = '0.6875rem'

export interface ChartProps {
  /** One for each day so far. */
  values: readonly number[]
  /** The days of the whole month: those to come are empty. */
  room: number
  /** `line`: what stands at the end of each day; `bars`: what happened in it. */
  shape: 'line' | 'bars'
  tone: 'primary' | 'error'
  /** The chart in words, for those who can't see it. */
  label: string
  /** A day with its value. */
  textOf: (index: number) => string
  /** A short value at the grid. */
  gridText: (value: number) => string
  pointed: number | undefined
  onPoint: (index: number | undefined) => void
}

/** The values of days over a grid. The pointer and the arrow keys lead through them. */
export function Chart({ values, room, shape, tone, label, textOf, gridText, pointed, onPoint }: ChartProps) {
  const { lines, lowest, highest } = scaleOf(values)
  const y = (value: number) => ((highest - value) / (highest - lowest)) * HEIGHT
  const last = values.length - 1
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * room)
    onPoint(last < 0 ? undefined : Math.min(last, Math.max(0, index)))
  }
  const step = (event: KeyboardEvent) => {
    const to = { ArrowLeft: (pointed ?? last) - 1, ArrowRight: (pointed ?? last) + 1, Home: 0, End: last }[event.key]
    if (to === undefined || last < 0) return
    event.preventDefault()
    onPoint(Math.min(last, Math.max(0, to)))
  }
  const place = pointed ?? Math.max(0, last)
  return (
    <Box sx={{ display: 'flex', gap: 1 }}>
      <Grid lines={lines} y={y} text={gridText} />
      <Box
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, values.length)}
        aria-valuenow={place + 1}
        aria-valuetext={textOf(place)}
        onKeyDown={step}
        onFocus={() => onPoint(last < 0 ? undefined : (pointed ?? last))}
        onBlur={() => onPoint(undefined)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onPoint(undefined)}
        sx={{ flex: 1, minWidth: 0, touchAction: 'pan-y', '&:focus-visible': { outline: '2px solid currentColor', outlineOffset: 4 } }}
      >
        <Box
          component="svg"
          aria-hidden="true"
          viewBox={`0 0 ${room} ${HEIGHT}`}
          preserveAspectRatio="none"
          sx={{
            display: 'block',
            width: '100%',
            height: 112,
            overflow: 'visible',
            '& line, & path': { vectorEffect: 'non-scaling-stroke' },
          }}
        >
          {lines.map((value) => (
            <Box
              component="line"
              key={value}
              x1={0}
              x2={room}
              y1={y(value)}
              y2={y(value)}
              sx={{ stroke: 'currentColor', color: value === 0 ? 'text.secondary' : 'divider' }}
            />
          ))}
          {pointed !== undefined && (
            <Box component="rect" x={pointed} y={0} width={1} height={HEIGHT} sx={{ fill: 'currentColor', opacity: 0.1 }} />
          )}
          <Box sx={{ color: `${tone}.main` }} component="g">
            {shape === 'bars' ? <Bars values={values} y={y} /> : <Line values={values} y={y} />}
          </Box>
        </Box>
      </Box>
    </Box>
  )
}

/** The values of the grid, beside it: the longest sets the width. */
function Grid({ lines, y, text }: { lines: readonly number[]; y: (value: number) => number; text: (value: number) => string }) {
  const longest = lines.map(text).reduce((long, one) => (one.length > long.length ? one : long), '')
  return (
    <Box aria-hidden="true" sx={{ position: 'relative', height: 112, fontSize: NARROW, color: 'text.secondary', whiteSpace: 'nowrap' }}>
      <Box sx={{ visibility: 'hidden' }}>{longest}</Box>
      {lines.map((value) => (
        <Box key={value} sx={{ position: 'absolute', right: 0, top: `${y(value)}%`, transform: 'translateY(-50%)', lineHeight: 1 }}>
          {text(value)}
        </Box>
      ))}
    </Box>
  )
}

interface Shape {
  values: readonly number[]
  y: (value: number) => number
}

function Bars({ values, y }: Shape) {
  return values.map((value, i) => (
    <rect
      // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
      key={i}
      x={i + GAP / 2}
      y={Math.min(y(value), y(0))}
      width={1 - GAP}
      height={Math.abs(y(value) - y(0))}
      fill="currentColor"
    />
  ))
}

/** A level from day to day, with the room below it. */
function Line({ values, y }: Shape) {
  if (values.length === 0) return null
  const steps = values.map((value, i) => `${i} ${y(value)} L ${i + 1} ${y(value)}`).join(' L ')
  return (
    <>
      <path d={`M 0 ${y(0)} L ${steps} L ${values.length} ${y(0)} Z`} fill="currentColor" opacity={0.15} />
      <path d={`M ${steps}`} fill="none" stroke="currentColor" strokeWidth={2} />
    </>
  )
}

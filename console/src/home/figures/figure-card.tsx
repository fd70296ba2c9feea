import { Box, Card, CardContent, Link, Typography } from '@mui/material'
import { type ReactNode, useState } from 'react'
import { useLocale } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'
import { localeOf } from '../../i18n/locales.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDay } from '../month.ts'
import { Chart } from './chart.tsx'
import { figureTexts } from './figure-texts.ts'
import { compactOf, type Kind, percentOf, textOf } from './formats.ts'

export interface Figure {
  name: string
  label: string
  kind: Kind
  value: number
  before: number
  /** One for each day so far. */
  values: readonly number[]
  shape: 'line' | 'bars'
  tone: 'primary' | 'error'
  /** The list of what is counted, where there is one. */
  path: string | undefined
  note: ReactNode
}

/** A figure of the month beside that of the month before, and its days. */
export function FigureCard({ figure, days, room }: { figure: Figure; days: readonly string[]; room: number }) {
  const { label, kind, value, before, values, shape, tone, path, note } = figure
  const texts = useTexts(figureTexts)
  const locale = localeOf(useLocale())
  const [pointed, setPointed] = useState<number>()
  const dayText = (index: number) => {
    const day = days[index]
    return day === undefined ? texts.noDays : `${formatDay(day, locale)}: ${textOf(values[index] ?? 0, kind, locale)}`
  }
  const month = days[0]?.slice(0, 8)
  const edges = month === undefined ? [texts.noDays] : [formatDay(`${month}01`, locale), formatDay(`${month}${room}`, locale)]
  const change = percentOf(value, before, locale)
  return (
    <Card component="figure" aria-label={label} sx={{ m: 0 }}>
      <CardContent sx={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
        <Typography component="h3" variant="h3">
          {label}
        </Typography>
        <Box sx={{ display: 'flex', alignItems: 'baseline', columnGap: 1.5, flexWrap: 'wrap', fontVariantNumeric: 'tabular-nums' }}>
          <Typography sx={{ fontSize: '1.5rem', fontWeight: 650 }}>
            {path === undefined ? (
              textOf(value, kind, locale)
            ) : (
              <Link component={RouterLink} to={path} color="inherit" aria-label={texts.open(label, textOf(value, kind, locale))}>
                {textOf(value, kind, locale)}
              </Link>
            )}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {texts.before(textOf(before, kind, locale))}
            {change !== undefined && ` (${change})`}
          </Typography>
        </Box>
        <Typography component="div" variant="body2" color="textSecondary" sx={{ flex: 1, mb: 1.5 }}>
          {note}
        </Typography>
        <Chart
          values={values}
          room={room}
          shape={shape}
          tone={tone}
          label={texts.byDay(label)}
          textOf={dayText}
          gridText={(at) => compactOf(at, kind, locale)}
          pointed={pointed}
          onPoint={setPointed}
        />
        <Typography
          component="div"
          aria-hidden="true"
          variant="body2"
          sx={{
            mt: 0.75,
            display: 'flex',
            justifyContent: pointed === undefined ? 'space-between' : 'center',
            fontVariantNumeric: 'tabular-nums',
          }}
        >
          {pointed === undefined ? edges.map((edge) => <span key={edge}>{edge}</span>) : <strong>{dayText(pointed)}</strong>}
        </Typography>
      </CardContent>
    </Card>
  )
}

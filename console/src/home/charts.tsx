import { Box, Card, CardContent, Typography } from '@mui/material'
import { useState } from 'react'
import { useLocale } from 'react-admin'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Bars } from './bars.tsx'
import { DaysTable } from './days-table.tsx'
import { FailureKinds } from './failure-kinds.tsx'
import { formatDay } from './format-day.ts'
import { type Day, MEASURES, type Measure } from './overview.ts'
import { homeTexts } from './texts.ts'

/**
 * Each measure over the same days: one picture for each, and all numbers in one table for readers who can't see pictures, or want to copy
 * them.
 */
export function Charts({ days }: { days: readonly Day[] }) {
  return (
    <>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' }, gap: 2, mb: 2 }}>
        {MEASURES.map((measure) => (
          <Chart key={measure} measure={measure} days={days} />
        ))}
      </Box>
      <DaysTable days={days} />
    </>
  )
}

function Chart({ measure, days }: { measure: Measure; days: readonly Day[] }) {
  const texts = useTexts(homeTexts)
  const locale = localeOf(useLocale())
  const [pointed, setPointed] = useState<number>()
  const number = new Intl.NumberFormat(locale)
  const values = days.map((day) => day[measure])
  const total = values.reduce((sum, value) => sum + value, 0)
  const most = Math.max(0, ...values)
  const what = texts.measures[measure]
  const busiest = days[values.indexOf(most)]?.day ?? ''
  const summary =
    total === 0 ? texts.none(what) : texts.summary(what, number.format(total), number.format(most), formatDay(busiest, locale))
  const shown = pointed === undefined ? undefined : days[pointed]
  return (
    <Card component="figure" sx={{ m: 0 }}>
      <CardContent>
        <Box component="figcaption" sx={{ display: 'flex', alignItems: 'baseline', gap: 1, mb: 1, flexWrap: 'wrap' }}>
          <Typography component="h3" variant="h3">
            {what}
          </Typography>
          <Typography sx={{ fontSize: '1.375rem', fontWeight: 650, fontVariantNumeric: 'tabular-nums' }}>{number.format(total)}</Typography>
          <Typography variant="body2" color="textSecondary" sx={{ ml: 'auto', fontVariantNumeric: 'tabular-nums' }}>
            {shown
              ? `${formatDay(shown.day, locale)}: ${number.format(shown[measure])}`
              : total === 0
                ? texts.quiet
                : texts.mostOf(number.format(most))}
          </Typography>
        </Box>
        <Bars values={values} label={summary} tone={measure === 'failures' ? 'error' : 'primary'} pointed={pointed} onPoint={setPointed} />
        <Box
          aria-hidden="true"
          sx={{ display: 'flex', justifyContent: 'space-between', color: 'text.secondary', fontSize: '0.75rem', mt: 0.5 }}
        >
          <span>{formatDay(days[0]?.day ?? '', locale)}</span>
          <span>{formatDay(days.at(-1)?.day ?? '', locale)}</span>
        </Box>
        {measure === 'failures' && total > 0 && <FailureKinds days={days} />}
      </CardContent>
    </Card>
  )
}

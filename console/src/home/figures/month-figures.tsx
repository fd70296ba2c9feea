import { Alert, Box, Typography } from '@mui/material'
import { useLocale } from 'react-admin'
import { useMay } from '../../console-context.ts'
import { localeOf } from '../../i18n/locales.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { daysInMonth, formatDays } from '../month.ts'
import type { Overview } from '../overview.ts'
import type { MonthReport } from '../report.ts'
import { FigureCard } from './figure-card.tsx'
import { figureTexts } from './figure-texts.ts'
import { CurrenciesTable } from './tables/currencies-table.tsx'
import { DaysTable } from './tables/days-table.tsx'
import { KindsTable } from './tables/kinds-table.tsx'
import { PlansTable } from './tables/plans-table.tsx'
import { useFigures } from './use-figures.tsx'
import { ZoneButton } from './zone-button.tsx'

interface MonthFiguresProps {
  overview: Overview
  report: MonthReport
}

/** Of two columns the last card has both, where it would stand alone. */
const CARDS = {
  ...{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', lg: '1fr 1fr 1fr' }, mb: 2.5 },
  '& > :last-child:nth-of-type(odd)': { gridColumn: { sm: '1 / -1', lg: 'auto' } },
}

/** The figures of a month beside those of the month before: each with its days, then by plan, by reason, and all of them in a table. */
export function MonthFigures({ overview, report }: MonthFiguresProps) {
  const texts = useTexts(figureTexts)
  const figures = useFigures(overview, report)
  const days = overview.days.map(({ day }) => day)
  return (
    <>
      <PeriodLine overview={overview} report={report} />
      {report.is_counting && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {texts.counting}
        </Alert>
      )}
      <Box sx={CARDS}>
        {figures.map((figure) => (
          <FigureCard key={figure.name} figure={figure} days={days} room={daysInMonth(overview.month.month)} />
        ))}
      </Box>
      <DaysTable figures={figures} days={days} />
      <PlansTable plans={report.plans} to={report.to} moments={overview.month} />
      <CurrenciesTable currencies={report.other_currencies} to={report.to} moments={overview.month} />
      <KindsTable days={overview.days} month={overview.month} />
    </>
  )
}

/** Which days are shown, beside which, and in which zone. */
function PeriodLine({ overview, report }: MonthFiguresProps) {
  const texts = useTexts(figureTexts)
  const locale = localeOf(useLocale())
  const maySet = useMay('reports:write')
  const text = texts.period({
    days: formatDays(report.from, report.to, locale),
    before: formatDays(report.before.from, report.before.to, locale),
    zone: overview.time_zone,
  })
  return (
    <Box sx={{ minHeight: 40, mb: 2, display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 }}>
      <Typography color="textSecondary" sx={{ minWidth: 0 }}>
        {text}
      </Typography>
      {maySet && <ZoneButton zone={overview.time_zone} />}
    </Box>
  )
}

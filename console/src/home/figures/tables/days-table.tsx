import { Box, Card, styled } from '@mui/material'
import { useLocale } from 'react-admin'
import { localeOf } from '../../../i18n/locales.ts'
import { useTexts } from '../../../i18n/use-texts.ts'
import { formatDay } from '../../month.ts'
import type { Figure } from '../figure-card.tsx'
import { figureTexts } from '../figure-texts.ts'
import { textOf } from '../formats.ts'
import { FiguresTable } from './figures-table.tsx'

const NoWrap = styled('span')({ whiteSpace: 'nowrap' })

/** The same numbers as the charts, the newest day first. */
export function DaysTable({ figures, days }: { figures: readonly Figure[]; days: readonly string[] }) {
  const texts = useTexts(figureTexts)
  const locale = localeOf(useLocale())
  const rows = days.map((day, place) => ({
    key: day,
    name: <NoWrap>{formatDay(day, locale)}</NoWrap>,
    cells: figures.map(({ values, kind }) => textOf(values[place] ?? 0, kind, locale)),
  }))
  return (
    <Card component="details" sx={{ px: 2, py: 1.5, mb: 2.5 }}>
      <Box component="summary" sx={{ cursor: 'pointer', fontWeight: 600, '&:focus-visible': { outline: '2px solid currentColor' } }}>
        {texts.table}
      </Box>
      <Box sx={{ mt: 1 }}>
        <FiguresTable caption={texts.tableOf} heads={[texts.day, ...figures.map(({ label }) => label)]} rows={rows.toReversed()} />
      </Box>
    </Card>
  )
}

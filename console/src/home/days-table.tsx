import { Box, Card, Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from '@mui/material'
import { useLocale } from 'react-admin'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { hidden } from '../kit/show/values.tsx'
import { formatDay } from './format-day.ts'
import type { Day } from './overview.ts'
import { homeTexts } from './texts.ts'

/** The same numbers, the newest day first. */
export function DaysTable({ days }: { days: readonly Day[] }) {
  const texts = useTexts(homeTexts)
  const locale = localeOf(useLocale())
  const number = new Intl.NumberFormat(locale)
  const columns = [
    [texts.measures.sign_ins, 'sign_ins'],
    [texts.measures.new_users, 'new_users'],
    [texts.measures.purchases, 'purchases'],
    [texts.failedSignIns, 'failed_sign_ins'],
    [texts.failedNotifications, 'failed_notifications'],
    [texts.deadJobs, 'dead_jobs'],
  ] as const
  return (
    <Card component="details" sx={{ px: 2, py: 1.5 }}>
      <Box component="summary" sx={{ cursor: 'pointer', fontWeight: 600, '&:focus-visible': { outline: '2px solid currentColor' } }}>
        {texts.table}
      </Box>
      <TableContainer tabIndex={0} role="region" aria-label={texts.tableOf} sx={{ mt: 1 }}>
        <Table size="small">
          <Box component="caption" sx={hidden}>
            {texts.tableOf}
          </Box>
          <TableHead>
            <TableRow>
              <TableCell>{texts.day}</TableCell>
              {columns.map(([label]) => (
                <TableCell key={label} align="right" sx={{ '&&': { whiteSpace: 'normal' } }}>
                  {label}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {days.toReversed().map((day) => (
              <TableRow key={day.day}>
                <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap' }}>
                  {formatDay(day.day, locale)}
                </TableCell>
                {columns.map(([label, name]) => (
                  <TableCell key={label} align="right">
                    {number.format(day[name])}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </Card>
  )
}

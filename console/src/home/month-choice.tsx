import ChevronLeft from '@mui/icons-material/ChevronLeft'
import ChevronRight from '@mui/icons-material/ChevronRight'
import { IconButton, MenuItem, Stack, TextField } from '@mui/material'
import { useLocale } from 'react-admin'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { formatMonth, listMonths, OLDEST_MONTH, plusMonths } from './month.ts'
import { homeTexts } from './texts.ts'

interface MonthChoiceProps {
  month: string
  newest: string
  onChoose: (month: string) => void
}

/** A month, back in time from this one. */
export function MonthChoice({ month, newest, onChoose }: MonthChoiceProps) {
  const texts = useTexts(homeTexts)
  const locale = localeOf(useLocale())
  const step = (by: number) => onChoose(plusMonths(month, by))
  return (
    <Stack direction="row" spacing={0.5} sx={{ alignItems: 'center' }}>
      <IconButton aria-label={texts.monthBefore} disabled={month <= OLDEST_MONTH} onClick={() => step(-1)}>
        <ChevronLeft />
      </IconButton>
      <TextField
        select
        margin="none"
        label={texts.month}
        value={month}
        onChange={({ target }) => onChoose(target.value)}
        sx={{ width: 220 }}
      >
        {listMonths(newest, month).map((one) => (
          <MenuItem key={one} value={one}>
            {formatMonth(one, locale)}
          </MenuItem>
        ))}
      </TextField>
      <IconButton aria-label={texts.monthAfter} disabled={month >= newest} onClick={() => step(1)}>
        <ChevronRight />
      </IconButton>
    </Stack>
  )
}

import { Link, Typography } from '@mui/material'
import { useLocale } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'
import { localeOf } from '../../../i18n/locales.ts'
import { useTexts } from '../../../i18n/use-texts.ts'
import { formatForeign } from '../../../kit/show/formats.ts'
import { Section } from '../../../kit/show/section.tsx'
import type { MonthReport } from '../../report.ts'
import { figureTexts } from '../figure-texts.ts'
import { textOf } from '../formats.ts'
import { lists, listsOfRow, type Moments } from '../lists.ts'
import { FiguresRows } from './figures-table.tsx'
import { LinkedFigure } from './linked-figure.tsx'
import { COLUMNS } from './plans-table.tsx'

interface CurrenciesTableProps {
  currencies: MonthReport['other_currencies']
  /** The last day. */
  to: string
  moments: Moments
}

/** The figures of other currencies, each apart; amounts lead to their lists. Nothing is shown where there are none. */
export function CurrenciesTable({ currencies, to, moments }: CurrenciesTableProps) {
  const texts = useTexts(figureTexts)
  const locale = localeOf(useLocale())
  if (currencies.length === 0) return null
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  const heads = COLUMNS.map(([name]) => (name === 'received' ? texts.received : texts.figures[name]))
  const rows = currencies.map(({ currency, figures, before }) => ({
    key: currency,
    name: (
      <>
        <Link component={RouterLink} to={lists.transactions(moments, { currency })}>
          {currency}
        </Link>
        <Typography component="div" variant="caption" color="textSecondary">
          {names.of(currency)}
        </Typography>
      </>
    ),
    cells: COLUMNS.map(([name, kind], place) => {
      const text = (value: number) => (kind === 'money' ? formatForeign(value, currency, locale) : textOf(value, kind, locale))
      return (
        <LinkedFigure
          key={name}
          label={`${currency}, ${heads[place]}`}
          value={text(figures[name])}
          before={text(before[name])}
          path={listsOfRow({ to, moments }, { currency }, figures)[name]}
        />
      )
    }),
  }))
  return (
    <Section title={texts.currencies}>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {texts.apart}
      </Typography>
      <FiguresRows caption={texts.currencies} heads={[texts.currency, ...heads]} rows={rows} />
    </Section>
  )
}

import { Link } from '@mui/material'
import { useLocale } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'
import { localeOf } from '../../../i18n/locales.ts'
import { useTexts } from '../../../i18n/use-texts.ts'
import { EmptyLine } from '../../../kit/show/empty-line.tsx'
import { Section } from '../../../kit/show/section.tsx'
import { labelOf } from '../../../payments/label-of.ts'
import { failureTexts } from '../../../sessions/failure-texts.ts'
import type { Overview } from '../../overview.ts'
import { figureTexts } from '../figure-texts.ts'
import { textOf } from '../formats.ts'
import { kindsOf } from '../kinds.ts'
import { lists, type Moments } from '../lists.ts'
import { FiguresTable } from './figures-table.tsx'

/** The refused sign-ins by their reason, each with its list while there is one. */
export function KindsTable({ days, month }: Pick<Overview, 'days' | 'month'>) {
  const texts = useTexts(figureTexts)
  const labels = useTexts(failureTexts)
  const locale = localeOf(useLocale())
  const kinds = kindsOf(days, month.before.counts)
  const rows = kinds.map(({ kind, now, former }) => ({
    key: kind,
    name: kind === 'earlier' ? labels.earlier : <KindLink kind={kind} count={now} moments={month} />,
    cells: [textOf(now, 'count', locale), textOf(former, 'count', locale)],
  }))
  return (
    <Section title={texts.kinds}>
      {rows.length === 0 ? (
        <EmptyLine>{texts.noKinds}</EmptyLine>
      ) : (
        <FiguresTable caption={texts.kinds} heads={[texts.kind, texts.now, texts.former]} rows={rows} />
      )}
    </Section>
  )
}

/** Without a link where its list would be empty. */
function KindLink({ kind, count, moments }: { kind: string; count: number; moments: Moments }) {
  const label = labelOf(useTexts(failureTexts), kind)
  const path = count === 0 ? undefined : lists.failedSignIns(moments, { kind })
  if (path === undefined) return label
  return (
    <Link component={RouterLink} to={path}>
      {label}
    </Link>
  )
}

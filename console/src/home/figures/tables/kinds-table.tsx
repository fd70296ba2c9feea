import { useLocale } from 'react-admin'
import { localeOf } from '../../../i18n/locales.ts'
import { useTexts } from '../../../i18n/use-texts.ts'
import { EmptyLine } from '../../../kit/show/empty-line.tsx'
import { Section } from '../../../kit/show/section.tsx'
import type { Counts } from '../../overview.ts'
import { figureTexts } from '../figure-texts.ts'
import { textOf } from '../formats.ts'
import { kindTexts } from '../kind-texts.ts'
import { kindsOf } from '../kinds.ts'
import { FiguresTable } from './figures-table.tsx'

/** The refused sign-ins by their reason. No list has them: they are only counted. */
export function KindsTable({ days, before }: { days: readonly Counts[]; before: Counts }) {
  const texts = useTexts(figureTexts)
  const labels = useTexts(kindTexts)
  const locale = localeOf(useLocale())
  const kinds = kindsOf(days, before)
  const rows = kinds.map(({ kind, now, former }) => ({
    key: kind,
    name: Object.hasOwn(labels, kind) ? labels[kind] : kind,
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

import { useLocale } from 'react-admin'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { Column } from '../kit/list/columns.ts'
import { ExportButton } from '../kit/list/export-button.tsx'
import type { Filter } from '../kit/list/list-filters.tsx'
import { ListPage } from '../kit/list/list-page.tsx'
import { Time } from '../kit/show/values.tsx'
import { Action } from './action.tsx'
import { actionLabels } from './actions/action-labels.ts'
import { Actor } from './actor.tsx'
import type { AuditEntry } from './audit-entry.ts'
import { Reason } from './reason.tsx'
import { Target } from './target.tsx'
import { auditTexts } from './texts.ts'

/** The audit log, the newest entries first. */
export function AuditList() {
  const texts = useTexts(auditTexts)
  const columns: ReadonlyArray<Column<AuditEntry>> = [
    { label: texts.action, value: ({ action }) => <Action action={action} /> },
    { label: texts.at, value: ({ at }) => <Time at={at} />, sortBy: 'at' },
    { label: texts.actor, value: ({ actor }) => <Actor actor={actor} /> },
    { label: texts.target, value: (entry) => <Target entry={entry} /> },
    { label: texts.reason, value: ({ action, reason }) => <Reason action={action} reason={reason} /> },
  ]
  const labels = useTexts(actionLabels)
  const locale = localeOf(useLocale())
  const choices = Object.entries(labels)
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => a.label.localeCompare(b.label, locale))
  const filters: readonly Filter[] = [
    { name: 'action', label: texts.action, kind: 'suggestion', choices },
    { name: 'actor', label: texts.actor, kind: 'text' },
    { name: 'target', label: texts.target, kind: 'text' },
    { name: 'since', label: texts.since, kind: 'from' },
    { name: 'until', label: texts.until, kind: 'until' },
  ]
  return (
    <ListPage<AuditEntry>
      title={texts.title}
      columns={columns}
      filters={filters}
      sort={{ field: 'at', order: 'DESC' }}
      pathOf={({ id }) => `/audit/${encodeURIComponent(id)}/show`}
      empty={texts.empty}
      actions={<ExportButton />}
    />
  )
}

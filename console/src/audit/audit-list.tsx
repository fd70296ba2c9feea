import { useTexts } from '../i18n/use-texts.ts'
import { CopyText } from '../kit/copy-text.tsx'
import { ExportButton } from '../kit/export-button.tsx'
import type { Filter } from '../kit/list-filters.tsx'
import { ListPage } from '../kit/list-page.tsx'
import type { Column } from '../kit/list-rows.tsx'
import { Absent, Time } from '../kit/values.tsx'
import { type AuditEntry, auditColumns } from './audit-entry.ts'
import { auditTexts } from './texts.ts'

/** Who did what, the newest first. */
export function AuditList() {
  const texts = useTexts(auditTexts)
  const columns: ReadonlyArray<Column<AuditEntry>> = [
    { label: texts.action, value: ({ action }) => action },
    { label: texts.at, value: ({ at }) => <Time at={at} />, sortBy: 'at' },
    { label: texts.actor, value: ({ actor }) => <CopyText text={actor} label={texts.actor} short={24} /> },
    { label: texts.target, value: ({ target }) => <CopyText text={target} label={texts.target} short={16} /> },
    { label: texts.reason, value: ({ reason }) => reason ?? <Absent /> },
  ]
  const filters: readonly Filter[] = [
    { name: 'action', label: texts.action, kind: 'text' },
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
      actions={<ExportButton<AuditEntry> file="portaria-audit" columns={auditColumns} />}
    />
  )
}

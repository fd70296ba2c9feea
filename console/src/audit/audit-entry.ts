import type { CsvColumn } from '../kit/list/csv.ts'

/** One action, in the API's form. */
export interface AuditEntry {
  id: string
  at: string
  actor: string
  action: string
  target: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
  ip: string | null
}

/** The columns of the export. Their names are the API's, in every language. */
export const auditColumns: ReadonlyArray<CsvColumn<AuditEntry>> = [
  { name: 'at', value: ({ at }) => at },
  { name: 'actor', value: ({ actor }) => actor },
  { name: 'action', value: ({ action }) => action },
  { name: 'target', value: ({ target }) => target },
  { name: 'reason', value: ({ reason }) => reason },
  { name: 'ip', value: ({ ip }) => ip },
  { name: 'before', value: ({ before }) => before && JSON.stringify(before) },
  { name: 'after', value: ({ after }) => after && JSON.stringify(after) },
  { name: 'id', value: ({ id }) => id },
]

import { Alert } from '@mui/material'
import { useRecordContext } from 'react-admin'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../texts.ts'
import { useRead } from '../use-read.ts'

type Kind = 'appearance' | 'reports' | 'product' | 'plan' | 'identity_provider' | 'endpoint'

/** Says that a file of settings declares this, so that a change made here would not last; nothing where none does. */
export function ManagedBy({ kind, id }: { kind: Kind; id: string }) {
  const texts = useTexts(kitTexts)
  const { data } = useRead<{ managed_by: string | null }>(`managed?${new URLSearchParams({ kind, id })}`)
  if (!data?.managed_by) return undefined
  return (
    <Alert severity="info" sx={{ mb: 2 }}>
      {texts.managedBy(data.managed_by)}
    </Alert>
  )
}

/** The same in a form. */
export function RecordManagedBy({ kind }: { kind: Kind }) {
  const record = useRecordContext()
  return record && <ManagedBy kind={kind} id={String(record.id)} />
}

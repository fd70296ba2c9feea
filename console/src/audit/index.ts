import History from '@mui/icons-material/History'
import { type PageGroup, page } from '../page-group.ts'

export const auditPages: PageGroup = {
  resources: [
    {
      name: 'audit',
      section: 'operation',
      icon: History,
      list: page(async () => (await import('./audit-list.tsx')).AuditList),
      show: page(async () => (await import('./audit-show.tsx')).AuditShow),
    },
  ],
}

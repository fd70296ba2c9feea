import PendingActions from '@mui/icons-material/PendingActionsOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const jobsPages: PageGroup = {
  resources: [
    {
      name: 'jobs',
      section: 'operation',
      icon: PendingActions,
      list: page(async () => (await import('./job-list.tsx')).JobList),
      show: page(async () => (await import('./job-show.tsx')).JobShow),
    },
  ],
}

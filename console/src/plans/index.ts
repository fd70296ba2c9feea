import Sell from '@mui/icons-material/SellOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const plansPages: PageGroup = {
  resources: [
    {
      name: 'plans',
      section: 'sales',
      icon: Sell,
      list: page(async () => (await import('./plan-list.tsx')).PlanList),
      edit: page(async () => (await import('./plan-edit.tsx')).PlanEdit),
    },
  ],
}

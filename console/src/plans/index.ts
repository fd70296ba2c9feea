import Sell from '@mui/icons-material/SellOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const plansPages: PageGroup = {
  resources: [
    {
      name: 'plans',
      section: 'sales',
      icon: Sell,
      list: page(async () => (await import('./plan-list.tsx')).PlanList),
      create: page(async () => (await import('./plan-create.tsx')).PlanCreate),
      edit: page(async () => (await import('./plan-edit.tsx')).PlanEdit),
    },
  ],
}

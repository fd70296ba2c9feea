import Payments from '@mui/icons-material/PaymentsOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const transactionsPages: PageGroup = {
  resources: [
    {
      name: 'transactions',
      section: 'sales',
      icon: Payments,
      list: page(async () => (await import('./transaction-list.tsx')).TransactionList),
    },
  ],
}

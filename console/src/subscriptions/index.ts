import ReceiptLong from '@mui/icons-material/ReceiptLongOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const subscriptionsPages: PageGroup = {
  resources: [
    {
      name: 'subscriptions',
      section: 'sales',
      icon: ReceiptLong,
      list: page(async () => (await import('./subscription-list.tsx')).SubscriptionList),
      show: page(async () => (await import('./subscription-show.tsx')).SubscriptionShow),
    },
  ],
}

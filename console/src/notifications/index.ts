import Webhook from '@mui/icons-material/WebhookOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const notificationsPages: PageGroup = {
  resources: [
    {
      name: 'notifications',
      section: 'sales',
      icon: Webhook,
      list: page(async () => (await import('./notification-list.tsx')).NotificationList),
      show: page(async () => (await import('./notification-show.tsx')).NotificationShow),
    },
  ],
}

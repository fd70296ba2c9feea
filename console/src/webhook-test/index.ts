import { type PageGroup, page } from '../page-group.ts'

export const webhookTestPages: PageGroup = {
  routes: [
    {
      path: '/webhooks/test',
      page: page(async () => (await import('./webhook-test.tsx')).WebhookTest),
      scope: 'webhooks:test',
    },
  ],
}

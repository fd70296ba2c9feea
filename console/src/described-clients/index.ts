import { type PageGroup, page } from '../page-group.ts'

export const describedClientsPages: PageGroup = {
  routes: [
    {
      path: 'described-clients',
      page: page(async () => (await import('./described-client-list.tsx')).DescribedClientList),
      scope: 'products:read',
    },
  ],
}

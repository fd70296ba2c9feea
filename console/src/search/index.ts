import { type PageGroup, page } from '../page-group.ts'

export const searchPages: PageGroup = {
  routes: [{ path: '/search', page: page(async () => (await import('./search-page.tsx')).SearchPage), scope: 'search:read' }],
}

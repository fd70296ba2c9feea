import Outbound from '@mui/icons-material/SendOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const endpointsPages: PageGroup = {
  resources: [
    {
      name: 'endpoints',
      section: 'operation',
      icon: Outbound,
      list: page(async () => (await import('./endpoint-list.tsx')).EndpointList),
      show: page(async () => (await import('./endpoint-show.tsx')).EndpointShow),
      edit: page(async () => (await import('./endpoint-edit.tsx')).EndpointEdit),
      create: page(async () => (await import('./endpoint-create.tsx')).EndpointCreate),
    },
    {
      name: 'events',
      section: 'operation',
      icon: Outbound,
      show: page(async () => (await import('./deliveries/event-show.tsx')).EventShow),
    },
  ],
}

import Badge from '@mui/icons-material/BadgeOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const identityProvidersPages: PageGroup = {
  resources: [
    {
      name: 'identity-providers',
      section: 'operation',
      icon: Badge,
      list: page(async () => (await import('./provider-list.tsx')).ProviderList),
      show: page(async () => (await import('./provider-show.tsx')).ProviderShow),
      edit: page(async () => (await import('./provider-edit.tsx')).ProviderEdit),
      create: page(async () => (await import('./provider-create.tsx')).ProviderCreate),
    },
  ],
}

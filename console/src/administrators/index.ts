import Shield from '@mui/icons-material/AdminPanelSettingsOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const administratorsPages: PageGroup = {
  resources: [
    {
      name: 'administrators',
      section: 'operation',
      icon: Shield,
      list: page(async () => (await import('./administrator-list.tsx')).AdministratorList),
      edit: page(async () => (await import('./administrator-edit.tsx')).AdministratorEdit),
      create: page(async () => (await import('./administrator-create.tsx')).AdministratorCreate),
    },
  ],
}

import Users from '@mui/icons-material/PeopleAltOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const usersPages: PageGroup = {
  resources: [
    {
      name: 'users',
      section: 'users',
      icon: Users,
      list: page(async () => (await import('./user-list.tsx')).UserList),
      show: page(async () => (await import('./user-show.tsx')).UserShow),
      edit: page(async () => (await import('./user-edit.tsx')).UserEdit),
      create: page(async () => (await import('./user-create.tsx')).UserCreate),
    },
  ],
}

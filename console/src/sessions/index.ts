import Block from '@mui/icons-material/BlockOutlined'
import Devices from '@mui/icons-material/DevicesOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const sessionsPages: PageGroup = {
  resources: [
    {
      name: 'sessions',
      section: 'users',
      icon: Devices,
      list: page(async () => (await import('./session-list.tsx')).SessionList),
    },
    {
      name: 'failed-sign-ins',
      section: 'users',
      icon: Block,
      list: page(async () => (await import('./failed-sign-in-list.tsx')).FailedSignInList),
    },
  ],
}

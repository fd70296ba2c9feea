import VpnKey from '@mui/icons-material/VpnKeyOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const tokensPages: PageGroup = {
  resources: [
    {
      name: 'tokens',
      section: 'operation',
      icon: VpnKey,
      list: page(async () => (await import('./token-list.tsx')).TokenList),
      create: page(async () => (await import('./token-create.tsx')).TokenCreate),
    },
  ],
}

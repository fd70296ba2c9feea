import Draw from '@mui/icons-material/DrawOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const signingKeysPages: PageGroup = {
  resources: [
    {
      name: 'signing-keys',
      section: 'operation',
      icon: Draw,
      list: page(async () => (await import('./signing-key-list.tsx')).SigningKeyList),
    },
  ],
}

import Palette from '@mui/icons-material/PaletteOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const appearancePages: PageGroup = {
  resources: [
    {
      name: 'appearance',
      section: 'operation',
      icon: Palette,
      list: page(async () => (await import('./appearance-page.tsx')).AppearancePage),
    },
  ],
  routes: [
    {
      path: 'products/:id/appearance',
      page: page(async () => (await import('./appearance-page.tsx')).ProductAppearancePage),
      scope: 'appearance:read',
    },
  ],
}

import Apps from '@mui/icons-material/AppsOutlined'
import { type PageGroup, page } from '../page-group.ts'

export const productsPages: PageGroup = {
  resources: [
    {
      name: 'products',
      section: 'sales',
      icon: Apps,
      list: page(async () => (await import('./product-list.tsx')).ProductList),
      show: page(async () => (await import('./product-show.tsx')).ProductShow),
      edit: page(async () => (await import('./product-edit.tsx')).ProductEdit),
      create: page(async () => (await import('./wizard/product-create.tsx')).ProductCreate),
    },
  ],
}

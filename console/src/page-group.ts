import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { Messages } from './i18n/pt-br.ts'
import type { AdminScope } from './roles.ts'

export type ResourceName = keyof Messages['resources']
export type MenuSection = 'users' | 'sales' | 'operation'
type Page = LazyExoticComponent<ComponentType>

/** A noun of the admin API and its pages. It stands in the menu when it has a list and the user may read it. */
export interface ResourcePages {
  name: ResourceName
  section: MenuSection
  icon: ComponentType
  list?: Page
  show?: Page
  edit?: Page
  create?: Page
}

/** A page that is not a resource's, as `search` or `products/:id/wizard`. */
export interface RoutePage {
  path: string
  page: Page
  /** The permission that it needs. */
  scope?: AdminScope
}

/** The exports of one folder. */
export interface PageGroup {
  resources?: readonly ResourcePages[]
  routes?: readonly RoutePage[]
}

/** A page in a chunk of its own: `page(async () => (await import('./audit-list.tsx')).AuditList)`. */
export function page(load: () => Promise<ComponentType>): Page {
  return lazy(async () => ({ default: await load() }))
}

import type { IdentityProvider } from '../../identity-providers/index.ts'
import type { Product } from '../../products/index.ts'
import { OPERATOR_SCOPE, type Plan } from '../../subscriptions/index.ts'
import type { nameEndpoints } from './endpoint-names.ts'
import type { ManagedKind, Mark } from './mark-store.ts'

/** Something that a file can declare, as it is. */
export interface Managed {
  kind: ManagedKind
  id: string
  name: string
  /** The product whose plan or endpoint it is, by its id. */
  productId: string | undefined
  managedBy: string | undefined
}

interface Found {
  products: readonly Product[]
  plans: readonly Plan[]
  providers: readonly IdentityProvider[]
  endpoints: ReturnType<typeof nameEndpoints>
}

/** Everything that a file can declare, by its path. */
export function listObjects({ products, plans, providers, endpoints }: Found, marks: readonly Mark[]): Map<string, Managed> {
  const objects = new Map<string, Managed>()
  const add = (path: string, object: Omit<Managed, 'managedBy' | 'productId'>, productId?: string) =>
    objects.set(pathOf(path, productId, products), { ...object, productId, managedBy: managerOf(object, marks) })
  add('appearance', { kind: 'appearance', id: 'operator', name: 'appearance' })
  add('reports', { kind: 'reports', id: 'operator', name: 'reports' })
  for (const { id, slug } of products) add(`products.${slug}`, { kind: 'product', id, name: slug })
  for (const { id, slug, scope } of plans)
    add(`plans.${slug}`, { kind: 'plan', id, name: slug }, scope === OPERATOR_SCOPE ? undefined : scope)
  for (const { id } of providers) add(`identity_providers.${id}`, { kind: 'identity_provider', id, name: id })
  for (const { name, endpoint } of endpoints) add(`endpoints.${name}`, { kind: 'endpoint', id: endpoint.id, name }, endpoint.productId)
  return objects
}

function pathOf(rest: string, productId: string | undefined, products: readonly Product[]): string {
  const slug = products.find(({ id }) => id === productId)?.slug
  return slug === undefined ? rest : `products.${slug}.${rest}`
}

function managerOf({ kind, id }: Pick<Managed, 'kind' | 'id'>, marks: readonly Mark[]): string | undefined {
  return marks.find((mark) => mark.kind === kind && mark.objectId === id)?.managedBy
}

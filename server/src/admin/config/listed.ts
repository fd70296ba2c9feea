import type { Current } from './current.ts'
import type { Configuration } from './form/configuration.ts'
import type { Managed } from './managed-objects.ts'

/** A setting of the file by its path, and what of our settings it is about. */
export interface Declared {
  path: string
  kind: Managed['kind']
  /** As it stands in the file. */
  settings: Readonly<Record<string, unknown>>
  is: Managed | undefined
}

/** Everything that a file declares, products before what is theirs. */
export function listDeclared(configuration: Configuration, { objects }: Pick<Current, 'objects'>): Declared[] {
  const { appearance, reports, products = {}, plans = {}, identity_providers: providers = {}, endpoints = {} } = configuration
  const all = (kind: Managed['kind'], group: Record<string, object>, path: string): Declared[] =>
    Object.entries(group).map(([name, settings]) => {
      const own = `${path}.${name}`
      return { path: own, kind, settings: { ...settings }, is: objects.get(own) }
    })
  const look: Declared = { path: 'appearance', kind: 'appearance', settings: { ...appearance }, is: objects.get('appearance') }
  const days: Declared = { path: 'reports', kind: 'reports', settings: { ...reports }, is: objects.get('reports') }
  return [
    ...(appearance === undefined ? [] : [look]),
    ...(reports === undefined ? [] : [days]),
    ...all('product', products, 'products'),
    ...all('plan', plans, 'plans'),
    ...Object.entries(products).flatMap(([slug, product]) => [
      ...all('plan', product.plans ?? {}, `products.${slug}.plans`),
      ...all('endpoint', product.endpoints ?? {}, `products.${slug}.endpoints`),
    ]),
    ...all('identity_provider', providers, 'identity_providers'),
    ...all('endpoint', endpoints, 'endpoints'),
  ]
}

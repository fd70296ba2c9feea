import type { Endpoint } from '../../app-events/index.ts'
import type { Product } from '../../products/index.ts'
import { canonical } from './form/canonical.ts'
import type { Configuration, EndpointConfiguration } from './form/configuration.ts'
import type { Mark } from './mark-store.ts'

interface Known {
  products: readonly Product[]
  marks: readonly Mark[]
  declared: Configuration | undefined
}

/**
 * The name of each endpoint in a file: the one that it has been applied by; else the file's for its address; else one made of its host. A
 * made one is never a name that the file gives to another address, which would seem to have moved.
 */
export function nameEndpoints(
  endpoints: readonly Endpoint[],
  { products, marks, declared }: Known,
): Array<{ name: string; endpoint: Endpoint }> {
  const names = new Map<string, string>()
  const isTaken = (name: string, productId: string | undefined) =>
    endpoints.some((other) => other.productId === productId && names.get(other.id) === name)
  for (const { kind, objectId, name } of marks) if (kind === 'endpoint') names.set(objectId, name)
  for (const endpoint of endpoints) {
    if (names.has(endpoint.id)) continue
    const ofFile = Object.entries(declaredFor(endpoint, products, declared))
    const [found] = ofFile.find(([name, { url }]) => url === endpoint.url && !isTaken(name, endpoint.productId)) ?? []
    if (found !== undefined) names.set(endpoint.id, found)
  }
  for (const endpoint of endpoints) {
    if (names.has(endpoint.id)) continue
    const given = declaredFor(endpoint, products, declared)
    const base = nameOf(endpoint.url)
    let made = base
    for (let n = 2; isTaken(made, endpoint.productId) || Object.hasOwn(given, made); n++) made = `${base}-${n}`
    names.set(endpoint.id, made)
  }
  return endpoints.map((endpoint) => ({ name: names.get(endpoint.id) ?? endpoint.id, endpoint }))
}

function declaredFor(
  { productId }: Endpoint,
  products: readonly Product[],
  declared: Configuration | undefined,
): Record<string, EndpointConfiguration> {
  const settings = declared && canonical(declared)
  if (productId === undefined) return settings?.endpoints ?? {}
  const slug = products.find(({ id }) => id === productId)?.slug
  return (slug !== undefined && settings?.products?.[slug]?.endpoints) || {}
}

/** `hooks.example.com` becomes `hooks-example-com`. */
function nameOf(url: string): string {
  const name = new URL(url).hostname.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return name.slice(0, 40).replaceAll(/^-+|-+$/g, '') || 'endpoint'
}

import type { Applied } from '../../admin/index.ts'
import { fields } from '../command/layout.ts'

export function madeOf({ products, endpoints }: Applied) {
  return {
    products: products.map(({ slug, publishableKey, apiKey, webhookKey }) => ({
      slug,
      publishable_key: publishableKey,
      api_key: apiKey,
      webhook_key: webhookKey,
    })),
    endpoints: endpoints.map(({ path, id, secret = null }) => ({ path, id, secret })),
  }
}

/** The keys of what was made. They can't be shown again. */
export function shownOnce({ products, endpoints }: ReturnType<typeof madeOf>): string[] {
  const secrets = endpoints.flatMap(({ path, secret }) => (secret === null ? [] : [fields([[path, secret]])]))
  const keys = products.map((product) =>
    fields([
      ['product', product.slug],
      ['publishable key', product.publishable_key],
      ['API key', product.api_key],
    ]),
  )
  return keys.length + secrets.length === 0 ? [] : ['Shown this once:', ...keys, ...secrets]
}

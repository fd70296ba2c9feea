import { z } from 'zod'
import { SNIPPET_KINDS, snippetKindsOf, writeSnippet } from '../../../products/index.ts'
import type { AdminDeps } from '../../api/deps.ts'
import { adminRoute, type Operations } from '../../api/operations.ts'
import { readProductSettings } from '../product-json.ts'
import { withProduct } from '../product-routes.ts'

const snippetSchema = z
  .object({
    kind: z.enum(SNIPPET_KINDS).describe('the app or proxy that takes the lines'),
    values: z.array(z.object({ name: z.string(), value: z.string() })).describe("the fields of the app's settings page, in its own words"),
    files: z.array(z.object({ name: z.string(), lines: z.string() })),
  })
  .meta({ id: 'Snippet' })

/** The lines that connect a product's app. */
export function snippetRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/products/:id/snippets',
    operationId: 'listSnippets',
    summary: 'List the lines to paste for each app and proxy that a product is set up for',
    description: 'An API key stands in them as `sk_…`: it is shown when it is made alone.',
    may: 'products:read',
    answer: { description: 'All of them', schema: z.object({ data: z.array(snippetSchema) }), example: { data: [example] } },
    refuses: ['not_found'],
    work: (call) =>
      withProduct(call, deps, async (product) => {
        const settings = await readProductSettings(product, deps.storage.db)
        return { body: { data: snippetKindsOf(settings).map((kind) => writeSnippet(kind, settings, deps)) } }
      }),
  })
}

const example = { kind: 'metabase', values: [{ name: 'Issuer URI', value: 'https://portaria.example.com' }], files: [] }

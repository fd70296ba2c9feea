import { z } from 'zod'
import { examineAccent, readDraftLook } from '../../appearance/index.ts'
import { providerStore } from '../../identity-providers/index.ts'
import { languages } from '../../pages/index.ts'
import { productStore } from '../../products/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { changeFrom } from './appearance-json.ts'
import { accentExample, accentQuery, accentSchema, draftFields } from './appearance-schemas.ts'
import { PREVIEWS, previewAppearance, SCHEMES } from './preview-appearance.ts'

const previewQuery = z.strictObject({
  page: z.enum(PREVIEWS),
  language: z.enum(languages),
  scheme: z.enum(SCHEMES).optional().describe('light, unless it is dark'),
  product: z.string().max(64).optional().describe('the slug of the product in whose sign-in it is shown'),
  ...draftFields,
})

/** Routes that show a change of the look before it is made. */
export function previewRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/appearance/preview',
    operationId: 'previewAppearance',
    summary: 'Show a page or a mail with a draft of the look',
    description:
      'An absent field is the stored one, an empty one is emptied, and one that would be refused stays as it is stored. Nothing in the page can be pressed.',
    may: 'appearance:read',
    query: previewQuery,
    answer: { description: 'The page' },
    refuses: ['no_such_product'],
    work: (call) => preview(call, deps),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/appearance/accent',
    operationId: 'examineAccent',
    summary: 'Say whether a colour can be read',
    may: 'appearance:read',
    query: accentQuery,
    answer: { description: 'Its contrast', schema: accentSchema, example: accentExample },
    work: async ({ query }) => {
      const examined = examineAccent(query.accent)
      if (!examined) return { refusal: 'malformed', fields: { accent: 'malformed' } }
      const { accent, ratio, nearest } = examined
      return { body: { accent, ratio: Math.floor(ratio * 100) / 100, nearest: nearest ?? null } }
    },
  })
}

async function preview({ query }: AdminCall<z.output<typeof previewQuery>, unknown>, deps: AdminDeps): Promise<AdminAnswer> {
  const { page: kind, language, scheme = 'light', product: slug, ...draft } = query
  const { db } = deps.storage
  const product = slug === undefined ? undefined : await productStore(db).findBySlug(slug)
  if (slug !== undefined && !product) return { refusal: 'no_such_product' }
  const emptied = Object.fromEntries(Object.entries(draft).map(([field, text]) => [field, text === '' ? null : text]))
  const look = await readDraftLook(db, product?.id, changeFrom(emptied))
  const providers = await providerStore(db).list()
  return { preview: previewAppearance({ kind, language, scheme, look, productName: product?.name, providers, baseUrl: deps.baseUrl }) }
}

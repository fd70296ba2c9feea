import type { z } from 'zod'
import {
  type AppearanceRefusal,
  addImage,
  appearanceStore,
  appearanceVersion,
  changeAppearance,
  FIELD_NAMES,
  type ImageRefusal,
  imagePath,
  MAX_IMAGE_BYTES,
} from '../../appearance/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import type { Refused } from '../api/refusals.ts'
import { withProduct } from '../products/product-routes.ts'
import { appearanceJson, changeFrom } from './appearance-json.ts'
import { addImageBody, appearanceExample, appearanceSchema, changeAppearanceBody, imageExample, imageSchema } from './appearance-schemas.ts'

type Scope = { id: string; slug: string } | undefined

const answer = { description: 'The look', schema: appearanceSchema, example: appearanceExample }
const ofProduct = { ...answer, example: { ...appearanceExample, product: 'academy' } }

/** A file grows by a third in base64. */
const IMAGE_BODY_BYTES = Math.ceil((MAX_IMAGE_BYTES / 3) * 4) + 4_096

const CHANGES =
  'An absent field stays, null empties it. A refused field has its word in `fields`; `too_little_contrast` comes with ' +
  '`accent.ratio` and `accent.nearest`, a colour that passes. Every node shows it within two seconds.'

/** How pages and mails appear. */
export function appearanceAdminRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/appearance',
    operationId: 'showAppearance',
    summary: "Show the operator's look",
    may: 'appearance:read',
    answer,
    work: () => show(undefined, deps),
  })
  adminRoute(operations, {
    method: 'PATCH',
    path: '/appearance',
    operationId: 'changeAppearance',
    summary: "Change the operator's look",
    description: CHANGES,
    may: 'appearance:write',
    authentication: 'recent',
    body: changeAppearanceBody,
    version: 'required',
    answer,
    work: (call) => change(undefined, call, deps),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/products/:id/appearance',
    operationId: 'showProductAppearance',
    summary: "Show a product's own look",
    may: 'appearance:read',
    answer: ofProduct,
    refuses: ['not_found'],
    work: (call) => withProduct(call, deps, (product) => show(product, deps)),
  })
  adminRoute(operations, {
    method: 'PATCH',
    path: '/products/:id/appearance',
    operationId: 'changeProductAppearance',
    summary: "Change a product's own look",
    description: CHANGES,
    may: 'appearance:write',
    authentication: 'recent',
    body: changeAppearanceBody,
    version: 'required',
    answer: ofProduct,
    refuses: ['not_found'],
    work: (call) => withProduct(call, deps, (product) => change(product, call, deps)),
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/appearance/images',
    operationId: 'addImage',
    summary: 'Store a logo or an icon',
    description: 'It is shown once a look names it. The same file again is the same image.',
    may: 'appearance:write',
    body: addImageBody,
    bodyLimitBytes: IMAGE_BODY_BYTES,
    answer: { status: 201, description: 'The image', schema: imageSchema, example: imageExample },
    work: (call) => add(call, deps),
  })
}

async function show(product: Scope, { storage, baseUrl }: AdminDeps): Promise<AdminAnswer> {
  const { db } = storage
  const appearance = await appearanceStore(db).find(product?.id)
  return { body: await appearanceJson(appearance, { product, db, baseUrl }), version: appearanceVersion(appearance) }
}

async function change(
  product: Scope,
  { body, actor, seen }: AdminCall<unknown, z.output<typeof changeAppearanceBody>>,
  deps: AdminDeps,
): Promise<AdminAnswer> {
  const changed = await changeAppearance(product?.id, changeFrom(body), { ...deps, actor, seen })
  return 'refusal' in changed ? refuseChange(changed) : show(product, deps)
}

function refuseChange(refused: AppearanceRefusal): Refused {
  if (refused.refusal === 'changed_meanwhile') return { refusal: 'changed_meanwhile' }
  const field = FIELD_NAMES[refused.field]
  const advice =
    refused.why === 'too_little_contrast' ? { [`${field}.ratio`]: refused.ratio.toFixed(2), [`${field}.nearest`]: refused.nearest } : {}
  return { refusal: 'malformed', fields: { [field]: refused.why, ...advice } }
}

async function add({ body, actor }: AdminCall<unknown, z.output<typeof addImageBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(body.content)) return { refusal: 'malformed', fields: { content: 'not_base64' } }
  const added = await addImage(Buffer.from(body.content, 'base64'), { ...deps, actor })
  if ('refusal' in added) return { refusal: 'malformed', fields: fieldsOf(added) }
  const { hash, type, width, height } = added
  return { body: { id: hash, type, width, height, url: `${deps.baseUrl}${imagePath(added)}` } }
}

function fieldsOf(refused: ImageRefusal): Record<string, string> {
  return { content: refused.refusal, ...('what' in refused && refused.what !== undefined && { 'content.what': refused.what }) }
}

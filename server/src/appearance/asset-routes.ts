import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Responses } from '../http/index.ts'
import { BoundedMap } from '../kit/index.ts'
import { favicon, faviconFile, type Look } from '../pages/index.ts'
import type { Storage } from '../storage/index.ts'
import { madeFile } from './accent-styles.ts'
import { type BrandImage, IMAGE_TYPES } from './images/image.ts'
import { appearanceStore } from './store.ts'

/** Images of 200 KB at most: no more than 10 MB in memory. */
const MAX_IMAGES = 50

/** A sandbox and nothing to fetch: an image that is opened by itself can do nothing. An SVG has styles of its own. */
const CSP_FILE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

interface AssetDeps {
  storage: Storage
  responses: Responses
  lookOf: () => Look
}

/**
 * The files of looks. Their paths name their content, so browsers keep them, and so does this node. Other origins may show them: a webmail
 * shows a mail's logo.
 */
export function appearanceRoutes(scope: FastifyInstance, { storage, responses, lookOf }: AssetDeps): void {
  iconRoutes(scope, { responses, lookOf })
  const remembered = new BoundedMap<string, BrandImage>(MAX_IMAGES)
  const find = async (hash: string) => {
    const image = remembered.get(hash) ?? (await appearanceStore(storage.db).findImage(hash))
    if (image) remembered.set(hash, image)
    return image
  }
  scope.get<{ Params: { file: string } }>('/assets/brand/:file', { schema: { hide: true } }, async (request, reply) => {
    const { file } = request.params
    const made = madeFile(file)
    if (made) return send(reply, made.type, made.body)
    const [, hash, type] = /^([0-9a-f]{32})\.(svg|png)$/.exec(file) ?? []
    const image = hash === undefined ? undefined : await find(hash)
    if (!image || image.type !== type) return responses.refuse(request, reply, 404, 'Recurso nao encontrado')
    return send(reply, IMAGE_TYPES[image.type], image.content)
  })
}

/** The addresses that browsers and phones ask for where a page names no icon, as beside an answer in JSON: the operator's own. */
function iconRoutes(scope: FastifyInstance, { responses, lookOf }: Pick<AssetDeps, 'responses' | 'lookOf'>): void {
  scope.get('/favicon.ico', { schema: { hide: true } }, async (_request, reply) => {
    const { icon } = lookOf()
    if (icon.path !== favicon.path) return responses.redirect(reply, icon.path)
    return reply
      .headers({ 'content-type': faviconFile.type, 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' })
      .send(faviconFile.body)
  })
  scope.get('/apple-touch-icon.png', { schema: { hide: true } }, async (request, reply) => {
    const { touchIcon } = lookOf()
    if (touchIcon === undefined) return responses.refuse(request, reply, 404, 'Recurso nao encontrado')
    return responses.redirect(reply, touchIcon)
  })
}

function send(reply: FastifyReply, type: string, body: string | Buffer): FastifyReply {
  return reply
    .headers({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': CSP_FILE,
      'cross-origin-resource-policy': 'cross-origin',
    })
    .send(body)
}

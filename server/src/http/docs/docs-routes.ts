import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Language } from '../../pages/index.ts'
import type { Responses } from '../responses.ts'
import { jsonAnswer, pageAnswer } from '../schemas.ts'
import type { SecurityHeaders } from '../security-headers.ts'
import type { ApiDescription } from './api-description.ts'
import { clientPackageRoutes } from './client-package-routes.ts'
import { documentRoutes } from './document-routes.ts'

const MAX_AGE_SECONDS = 300

const tags = ['operation']
const descriptionSchema = {
  operationId: 'getDescription',
  summary: 'This description (OpenAPI 3.1)',
  tags,
  response: {
    200: { ...jsonAnswer('The description', z.record(z.string(), z.unknown())), headers: { ETag: 'For If-None-Match' } },
    304: { description: 'Unchanged since If-None-Match' },
  },
}
const docsSchema = { operationId: 'showDescription', summary: 'This description, to read', tags, response: { 200: pageAnswer('The page') } }

const settingsSchema = {
  operationId: 'getSettingsSchema',
  summary: 'The form of a file of settings (JSON Schema), for editors',
  tags,
  response: {
    200: { ...jsonAnswer('The schema', z.record(z.string(), z.unknown())), headers: { ETag: 'For If-None-Match' } },
    304: { description: 'Unchanged since If-None-Match' },
  },
}

/**
 * `GET /openapi.json`, the generated description, and `GET /docs`, the same as a page; the form of a file of settings; and the client to
 * install. The first request reads them.
 */
export function docsRoutes(scope: FastifyInstance, { responses, headers }: { responses: Responses; headers: SecurityHeaders }): void {
  const description = onFirstUse('../../../../docs/openapi.json')
  const settings = onFirstUse('../../../../docs/settings.schema.json')
  const styles = onFirstUse('./docs.css')
  const pages = new Map<Language, Buffer>()
  clientPackageRoutes(scope, { responses, headers })
  documentRoutes(scope, { responses, headers })

  const showJson = (read: typeof description, request: FastifyRequest, reply: FastifyReply) => {
    const { bytes, digest } = read()
    const etag = `"${digest}"`
    reply.headers(headers.json).header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`).header('etag', etag)
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(bytes)
  }
  scope.get('/openapi.json', { schema: descriptionSchema }, async (request, reply) => showJson(description, request, reply))
  scope.get('/settings.schema.json', { schema: settingsSchema }, async (request, reply) => showJson(settings, request, reply))
  scope.get('/docs', { schema: docsSchema }, async (request, reply) => {
    const { language } = responses.pageContext(request, reply)
    const page = pages.get(language) ?? (await buildPage(language, description().bytes, styles().digest))
    pages.set(language, page)
    return responses.page(reply, 200, page)
  })
  scope.get('/docs.css', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
      .send(styles().bytes),
  )
}

/** The page in one language, the same for everyone. Its source is a megabyte, so it is made once. */
async function buildPage(language: Language, description: Buffer, stylesDigest: string): Promise<Buffer> {
  const { docsBody, docsPage } = await import('./docs-page.ts')
  const document: ApiDescription = JSON.parse(description.toString())
  const body = docsBody(language, document)
  return Buffer.from(docsPage({ language, here: '/docs' }, { body, stylesheet: `/docs.css?v=${stylesDigest}` }))
}

/** A file of this version, read by the first request and kept. */
function onFirstUse(path: string): () => { bytes: Buffer; digest: string } {
  let read: { bytes: Buffer; digest: string } | undefined
  return () => {
    if (read) return read
    const bytes = readFileSync(new URL(path, import.meta.url))
    read = { bytes, digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) }
    return read
  }
}

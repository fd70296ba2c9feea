import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Answers } from './answers.ts'
import type { ApiDescription } from './api-description.ts'
import type { Language } from './languages.ts'
import { jsonAnswer, pageAnswer } from './schemas.ts'
import type { SecurityHeaders } from './security-headers.ts'

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

/** `GET /openapi.json`, the generated description, and `GET /docs`, the same for people. Nothing of either is read before someone asks. */
export function docsRoutes(scope: FastifyInstance, { answers, headers }: { answers: Answers; headers: SecurityHeaders }): void {
  const description = onFirstUse('../../../docs/openapi.json')
  const styles = onFirstUse('./docs.css')
  const bodies = new Map<Language, string>()

  scope.get('/openapi.json', { schema: descriptionSchema }, async (request, reply) => {
    const { text, digest } = description()
    const etag = `"${digest}"`
    reply.headers(headers.json).header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`).header('etag', etag)
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(text)
  })
  scope.get('/docs', { schema: docsSchema }, async (request, reply) => {
    const { docsBody, docsPage } = await import('./docs-page.ts')
    const context = answers.pageContext(request, reply)
    const document: ApiDescription = JSON.parse(description().text)
    const body = bodies.get(context.language) ?? docsBody(context.language, document)
    bodies.set(context.language, body)
    return answers.page(reply, 200, docsPage(context, { body, stylesheet: `/docs.css?v=${styles().digest}` }))
  })
  scope.get('/docs.css', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
      .send(styles().text),
  )
}

/** A file that came with this version: read once, by whoever asks first. */
function onFirstUse(path: string): () => { text: string; digest: string } {
  let read: { text: string; digest: string } | undefined
  return () => {
    if (read) return read
    const text = readFileSync(new URL(path, import.meta.url), 'utf8')
    read = { text, digest: createHash('sha256').update(text).digest('base64url').slice(0, 22) }
    return read
  }
}

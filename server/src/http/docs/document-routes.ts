import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Responses } from '../responses.ts'
import { type AnswerSchema, refusal } from '../schemas.ts'
import type { SecurityHeaders } from '../security-headers.ts'
import { describeDocuments, isListed, listDocuments, readDocument } from './documents.ts'

const FOLDER = fileURLToPath(new URL('../../../../docs/', import.meta.url))
const MAX_AGE_SECONDS = 300
const LIST = 'llms.txt'

const tags = ['operation']
const text = (description: string, type: string): AnswerSchema => ({
  description,
  headers: { ETag: 'For If-None-Match' },
  content: { [type]: { schema: z.string() } },
})
const unchanged = { 304: { description: 'Unchanged since If-None-Match' } }
const listSchema = {
  operationId: 'listDocuments',
  summary: 'The documents, for readers who are machines (llmstxt.org)',
  tags,
  response: { 200: text('The list, with links', 'text/plain'), ...unchanged },
}
const found = {
  200: text('The page', 'text/markdown'),
  ...unchanged,
  404: refusal({ 'Recurso nao encontrado': 'no such page' }),
}
const documentSchema = { operationId: 'getDocument', summary: 'A page of the documents, as Markdown', tags, response: found }
const innerSchema = {
  operationId: 'getDocumentInFolder',
  summary: 'A page of a folder of the documents, as Markdown',
  tags,
  response: found,
}

type Served = { bytes: Buffer; etag: string; type: string }

/** `GET /llms.txt` and `GET /docs/….md`: the files of `docs/` of this very version. The first request reads them, and they are kept. */
export function documentRoutes(scope: FastifyInstance, deps: { responses: Responses; headers: SecurityHeaders }): void {
  const find = onFirstUse()
  const send = (request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply => {
    const document = find(name)
    if (!document) return deps.responses.refuse(request, reply, 404, 'Recurso nao encontrado')
    const { bytes, etag, type } = document
    reply.headers({ ...deps.headers.json, 'content-type': type, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}`, etag })
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(bytes)
  }
  scope.get('/llms.txt', { schema: listSchema }, async (request, reply) => send(request, reply, LIST))
  scope.get<{ Params: { page: string } }>('/docs/:page', { schema: documentSchema }, async (request, reply) =>
    send(request, reply, request.params.page),
  )
  scope.get<{ Params: { folder: string; page: string } }>('/docs/:folder/:page', { schema: innerSchema }, async (request, reply) =>
    send(request, reply, `${request.params.folder}/${request.params.page}`),
  )
}

/** A name is looked up in the list of pages; no path is ever made of the request. */
function onFirstUse(): (name: string) => Served | undefined {
  let names: ReadonlySet<string> | undefined
  const served = new Map<string, Served>()
  return (name) => {
    names ??= new Set(listDocuments(FOLDER))
    if (name !== LIST && !names.has(name)) return undefined
    const known = served.get(name) ?? read(name, names)
    served.set(name, known)
    return known
  }
}

function read(name: string, names: ReadonlySet<string>): Served {
  const content =
    name === LIST
      ? describeDocuments(new Map([...names].filter(isListed).map((one) => [one, readDocument(FOLDER, one, names)])))
      : readDocument(FOLDER, name, names)
  const bytes = Buffer.from(content)
  const type = name === LIST ? 'text/plain; charset=utf-8' : 'text/markdown; charset=utf-8'
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`, type }
}

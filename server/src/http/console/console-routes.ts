import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorPage, pageTexts } from '../../pages/index.ts'
import { readCookie } from '../cookies.ts'
import type { Responses } from '../responses.ts'
import type { SecurityHeaders } from '../security-headers.ts'
import { type ConsoleAsset, type ConsoleFiles, LANGUAGE, NONCE, readConsole } from './console-files.ts'

const NONCE_BYTES = 16
/** The console sets it when its user chooses a look, so that its frame has that look before any script runs. */
const THEME_COOKIE = 'portaria_theme'
const THEMES: readonly unknown[] = ['light', 'dark']

export interface ConsoleDeps {
  responses: Responses
  headers: SecurityHeaders
  /** The folder of the built console. */
  folder: string
}

/**
 * `GET /admin`, the operator's console with all its pages, and `GET /admin/assets/*`, its files. The console is a client of `/api/admin`:
 * these files are the same for everyone, and permissions are decided there.
 */
export function consoleRoutes(scope: FastifyInstance, deps: ConsoleDeps): void {
  const files = onFirstUse(deps.folder)
  const schema = { hide: true }
  const page = async (request: FastifyRequest, reply: FastifyReply) => answerPage(request, reply, files(), deps)
  scope.get('/admin', { schema }, page)
  scope.get('/admin/*', { schema }, page)
  scope.get<{ Params: { '*': string } }>('/admin/assets/*', { schema }, async (request, reply) => {
    // Looked up in the list of files; no path is ever made of it.
    const asset = files()?.assets.get(request.params['*'])
    if (!asset) return deps.responses.refuse(request, reply, 404, 'Recurso nao encontrado')
    return answerAsset(request, reply, asset, deps.headers)
  })
}

/** A fresh nonce in every answer: the console's styles are made in the browser, and the policy allows those with the nonce. */
function answerPage(
  request: FastifyRequest,
  reply: FastifyReply,
  files: ConsoleFiles | undefined,
  { responses, headers }: ConsoleDeps,
): FastifyReply {
  const context = responses.pageContext(request, reply)
  if (!files) {
    const { title, message } = pageTexts[context.language].consoleNotBuilt
    return responses.page(reply, 503, errorPage(context, { status: 503, title, message }))
  }
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const theme = readCookie(request.headers.cookie, THEME_COOKIE)
  const root = `<html lang="${context.language}"${THEMES.includes(theme) ? ` data-theme="${theme}"` : ''}`
  return reply
    .headers(headers.page)
    .header('content-security-policy', policy(nonce))
    .send(files.page.replaceAll(NONCE, nonce).replace(LANGUAGE, root))
}

function policy(nonce: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-src 'self'; ` +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  )
}

function answerAsset(request: FastifyRequest, reply: FastifyReply, asset: ConsoleAsset, headers: SecurityHeaders): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'], asset)
  // A name identifies the content, but each encoding is another representation (RFC 9110 §8.8.3).
  const etag = encoding === 'identity' ? asset.etag : asset.etag.replace(/"$/, `-${encoding}"`)
  reply.headers({
    ...headers.page,
    'content-type': asset.type,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    vary: 'Accept-Encoding',
    etag,
  })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(asset[encoding])
}

/** The smallest encoding that exists and is accepted (RFC 9110 §12.5.3). */
function chooseEncoding(accepted: string | undefined, asset: ConsoleAsset): 'br' | 'gzip' | 'identity' {
  const taken = new Set((accepted ?? '').split(',', 16).flatMap(takenEncoding))
  if (taken.has('br') && asset.br) return 'br'
  return taken.has('gzip') && asset.gzip ? 'gzip' : 'identity'
}

function takenEncoding(element: string): string[] {
  const [name = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase())
  return parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter)) ? [] : [name]
}

/** The first request reads it, and it is kept. A missing build is looked for again: it may be under way. */
function onFirstUse(folder: string): () => ConsoleFiles | undefined {
  let files: ConsoleFiles | undefined
  return () => {
    files ??= readConsole(folder)
    return files
  }
}

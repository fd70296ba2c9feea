import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseLanguage, errorPage, type Language, type Look, languages, type PageContext } from '../pages/index.ts'
import { readCookie } from './cookies.ts'
import type { SecurityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the product in whose sign-in a page is shown, set before it is made. */
    pageProduct: string | undefined
  }
}

/** A copy takes minutes. */
const MOVING_SECONDS = '30'
/** For a 503 that names no time of its own, as that of a full queue of passwords. */
const SHORTLY_SECONDS = '2'
const LANGUAGE_COOKIE = 'portaria_lang'
const LANGUAGE_SECONDS = 31_536_000

/** The kinds of answers of the service, so that no route can forget a header. */
export interface Responses {
  json(reply: FastifyReply, status: number, body: unknown): FastifyReply
  /** JSON to download, indented for reading. `name` is the file's, without foreign text. */
  file(reply: FastifyReply, name: string, body: unknown): FastifyReply
  /** A table to download, as fast as the peer takes it. A fault in the middle ends the connection: no part is taken for the whole. */
  csv(reply: FastifyReply, name: string, table: Readable): FastifyReply
  page(reply: FastifyReply, status: number, markup: string | Buffer): FastifyReply
  /** A page or a mail that the console shows in a frame. `styles` are those inside it, made without anybody's text. */
  preview(reply: FastifyReply, preview: { markup: string; styles: readonly string[] }): FastifyReply
  /** 302 to `location`, which the caller has checked: a path of ours or a `RedirectTarget`. Never cached, never a referrer. */
  redirect(reply: FastifyReply, location: string): FastifyReply
  /** A refusal: a page for a browser, `{error}` for every other client. */
  refuse(request: FastifyRequest, reply: FastifyReply, status: number, error: string): FastifyReply
  /** While the database is copied: a page of its own, `{error}` for other clients, and when to come back. */
  refuseMoving(request: FastifyRequest, reply: FastifyReply): FastifyReply
  /** The request's language and own address. A language chosen by the switch is remembered. */
  pageContext(request: FastifyRequest, reply: FastifyReply, here?: string): PageContext
}

/** `lookOf`: how the pages of a product, or the operator's own, appear; without it they have the built-in look. `origin`: the service's. */
export function createResponses(
  headers: SecurityHeaders,
  { https, lookOf, origin }: { https: boolean; lookOf?: (productId: string | undefined) => Look; origin?: string },
): Responses {
  const responses: Responses = {
    json: (reply, status, body) => withStatus(reply, status).headers(headers.json).send(JSON.stringify(body)),
    file: (reply, name, body) =>
      reply
        .code(200)
        .headers(headers.json)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(`${JSON.stringify(body, null, 2)}\n`),
    csv: (reply, name, table) =>
      reply
        .code(200)
        .headers({ ...headers.json, 'content-type': 'text/csv; charset=utf-8' })
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(table),
    page: (reply, status, markup) => withStatus(reply, status).headers(headers.page).send(markup),
    preview: (reply, { markup, styles }) => reply.code(200).headers(headers.preview(styles)).send(markup),
    redirect: (reply, location) => reply.code(302).headers(headers.redirect).header('location', location).send(),
    refuse(request, reply, status, error) {
      if (!wantsPage(request)) return responses.json(reply, status, { error })
      const context = responses.pageContext(request, reply)
      return responses.page(reply, status, errorPage(context, { status, requestId: request.id }))
    },
    refuseMoving(request, reply) {
      reply.header('retry-after', MOVING_SECONDS)
      if (!wantsPage(request)) return responses.json(reply, 503, { error: 'Servico indisponivel, tente novamente' })
      const context = responses.pageContext(request, reply)
      return responses.page(reply, 503, errorPage(context, { status: 503, isMoving: true }))
    },
    pageContext(request, reply, here = ownAddress(request)) {
      const query = queryValue(request, 'lang')
      if (query !== undefined && isLanguage(query)) reply.header('set-cookie', languageCookie(query, https))
      const cookie = readCookie(request.headers.cookie, LANGUAGE_COOKIE)
      const language = chooseLanguage({ query, cookie, acceptLanguage: request.headers['accept-language'] })
      const look = lookOf?.(request.pageProduct)
      const known = { ...(look && { look }), ...(origin !== undefined && { origin }) }
      return { language, here, ...known, ...(request.impersonation && { impersonation: request.impersonation }) }
    },
  }
  return responses
}

/** Every 503 says when to come again. */
function withStatus(reply: FastifyReply, status: number): FastifyReply {
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', SHORTLY_SECONDS)
  return reply.code(status)
}

/** An answer of `/auth/forward` to a proxy has no page: its links would lead to the app's host. */
const ALWAYS_JSON = ['/auth/check', '/auth/verify', '/auth/token', '/auth/forward']

/** Whether the client shows pages. Addresses that always answer JSON don't ask. */
export function wantsPage(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] ?? ''
  if (path.startsWith('/api/') || ALWAYS_JSON.includes(path)) return false
  return request.headers.accept?.includes('text/html') ?? false
}

/** A request's own path and query, without the language switch. For a POST it is the address of its page. */
function ownAddress(request: FastifyRequest): string {
  return request.url
}

function queryValue(request: FastifyRequest, name: string): string | undefined {
  return new URLSearchParams(request.url.split('?')[1] ?? '').get(name) ?? undefined
}

function isLanguage(text: string): text is Language {
  return languages.some((language) => language === text)
}

function languageCookie(language: Language, https: boolean): string {
  return `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${LANGUAGE_SECONDS}; SameSite=Lax; HttpOnly${https ? '; Secure' : ''}`
}

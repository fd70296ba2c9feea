import type { FastifyRequest } from 'fastify'
import { hasFewValues } from '../kit/index.ts'

/** More than any body of ours has; parsing tens of thousands would block everyone else. */
const MAX_VALUES = 4_000
/** The same for a form. */
const MAX_FIELDS = 1_000

/** The request's query. Unlike Fastify's own parser it keeps repeated parameters. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1))
}

/** The fields of a body sent by a form, or `undefined` when it is not one or has more fields than any of ours. */
export function formBody(request: FastifyRequest): URLSearchParams | undefined {
  const body = request.body
  if (!isOfType(request, 'application/x-www-form-urlencoded') || typeof body !== 'string') return undefined
  return body.split('&', MAX_FIELDS + 1).length > MAX_FIELDS ? undefined : new URLSearchParams(body)
}

/** The raw text of a body sent as JSON; else `undefined`. */
export function jsonText(request: FastifyRequest): string | undefined {
  return isOfType(request, 'application/json') && typeof request.body === 'string' ? request.body : undefined
}

/** The object in a JSON body, or `undefined` when there is none. */
export function jsonObject(request: FastifyRequest): Record<string, unknown> | undefined {
  const text = jsonText(request)
  if (text === undefined || !hasFewValues(text, MAX_VALUES)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined // not JSON: the caller chooses the refusal
  }
}

/**
 * The credentials of `Authorization: Bearer …` (RFC 6750 §2.1), the scheme in any case; `undefined` when absent, empty or of another
 * scheme.
 */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer +([^\s,]+) *$/i.exec(request.headers.authorization ?? '')?.[1]
}

function isOfType(request: FastifyRequest, type: string): boolean {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() === type
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

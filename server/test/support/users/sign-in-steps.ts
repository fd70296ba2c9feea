import assert from 'node:assert/strict'
import { createPublicKey, verify as verifySignature } from 'node:crypto'
import type { Answer, Browser } from '../browser.ts'
import { PASSWORD, type TestService } from '../service.ts'

/** Steps of the contract tests. The tests themselves say what each answer must be. */

export const INTERNAL = 'http://localhost:4001/callback'
export const EXTERNAL = 'http://127.0.0.1:4002/callback'

/** The address with which an app begins a sign-in. */
export function loginAddress(query: Record<string, string>): string {
  return `/auth/login?${new URLSearchParams(query)}`
}

/** Signs in by form and goes on to the redirect that leaves the service. */
export async function enter(browser: Browser, email: string, query: Record<string, string>): Promise<URL> {
  const left = await goOn(browser, await browser.signIn(loginAddress(query), { email, password: PASSWORD }))
  assert.ok(left.location, `the sign-in ended at ${left.status} ${left.text.slice(0, 200)}`)
  return left.location
}

/** Opens an app's login where the browser is signed in already, and goes on to the redirect that leaves the service. */
export async function pass(browser: Browser, query: Record<string, string>): Promise<URL> {
  const left = await goOn(browser, await browser.get(loginAddress(query)))
  assert.ok(left.location, `the sign-in ended at ${left.status} ${left.text.slice(0, 200)}`)
  return left.location
}

/** Follows an answer, and clicks where a page asks whether to share with another company. */
export async function goOn(browser: Browser, answer: Answer): Promise<Answer> {
  const end = await browser.follow(answer)
  const link = end.location ? undefined : shareLink(end)
  return link === undefined ? end : browser.follow(await browser.get(link))
}

/** Where the button of such a page leads; `undefined` on any other page, and on one that goes on by itself. */
export function shareLink(page: Answer): string | undefined {
  if (page.headers.get('refresh') !== null) return undefined
  const link = /<a class="button" href="(\/auth\/continue\?flow[^"]*)"/.exec(page.text)?.[1]
  return link?.replaceAll('&#61;', '=').replaceAll('&#38;', '&')
}

/** A parameter that must be there. */
export function parameter(url: URL | undefined, name: string): string {
  const value = url?.searchParams.get(name)
  assert.ok(value, `${name} is missing in ${url}`)
  return value
}

/** A browser signed in to Portaria itself, its `eg_session` in its cookies. */
export async function signedIn(service: TestService, email: string): Promise<Browser> {
  const browser = service.browser()
  const answer = await browser.signIn('/login', { email, password: PASSWORD })
  assert.equal(answer.status, 302)
  return browser
}

/** The browser's `eg_session`. */
export function sessionOf(browser: Browser): string {
  const token = browser.cookies.get('eg_session')
  assert.ok(token)
  return token
}

/** `GET /auth/check` as an app's server asks it; always 200. */
export async function check(service: TestService, cookie: string | undefined, apiKey?: string): Promise<unknown> {
  const headers = { ...(cookie !== undefined && { cookie }), ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) }
  const answer = await fetch(`${service.url}/auth/check`, { headers, redirect: 'manual' })
  assert.equal(answer.status, 200)
  return answer.json()
}

export const INVALID = { authenticated: false, reason: 'invalid_session' }

/** Whether a session token is good for the domain, or with a key for its product. */
export async function isLive(service: TestService, token: string, apiKey?: string): Promise<boolean> {
  const answer = await check(service, `eg_session=${token}`, apiKey)
  if (JSON.stringify(answer) === JSON.stringify(INVALID)) return false
  assert.ok(answer && typeof answer === 'object' && 'authenticated' in answer && answer.authenticated === true, JSON.stringify(answer))
  return true
}

/** `POST` of a JSON body from a server, with a bearer where given. */
export async function post(service: TestService, path: string, body: unknown, bearer?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) }
  return service.browser().request('POST', path, { headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
}

export function verify(service: TestService, token: unknown, apiKey?: string): Promise<Answer> {
  return post(service, '/auth/verify', { token }, apiKey)
}

/** The body of a token exchange (RFC 8693). */
export function exchangeOf(sessionToken: string): Record<string, string> {
  return {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: sessionToken,
    subject_token_type: 'urn:portaria:token-type:session',
  }
}

export async function accessToken(service: TestService, sessionToken: string, apiKey?: string): Promise<string> {
  const answer = await post(service, '/auth/token', exchangeOf(sessionToken), apiKey)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ access_token: string }>().access_token
}

export function me(service: TestService, bearer?: string): Promise<Answer> {
  return service.browser().request('GET', '/api/me', bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } })
}

/** The header and the claims of a token, not verified. */
export function decode(token: string): { header: Record<string, unknown>; claims: Record<string, unknown> } {
  const [header, claims] = token.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  return { header, claims }
}

/** Whether the published keys verify a token's signature, checked without any code of ours. */
export async function isSignedByPublishedKey(service: TestService, token: string): Promise<boolean> {
  const [head = '', payload = '', signature = ''] = token.split('.')
  const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as { keys: Array<Record<string, string>> }
  const jwk = keys.find(({ kid }) => kid === decode(token).header.kid)
  if (!jwk) return false
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return verifySignature(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
}

/** The `Set-Cookie` lines of an answer, by the cookie's name. */
export function setCookies({ headers }: Pick<Answer, 'headers'>): Record<string, string> {
  return Object.fromEntries(headers.getSetCookie().map((line) => [line.slice(0, line.indexOf('=')), line]))
}

/** A refusal in the contract's form, and nothing else in it. */
export function assertRefused(answer: Answer, status: number, error: string, more: Record<string, unknown> = {}): void {
  assert.equal(answer.text, JSON.stringify({ error, ...more }))
  assert.equal(answer.status, status)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
}

/** A redirect to one of the service's own pages, whose path this is; answers the address. */
export function assertOwnRedirect(answer: Answer, path: string): string {
  assert.equal(answer.status, 302, answer.text.slice(0, 200))
  assert.ok(answer.location)
  assert.equal(answer.location.pathname, path)
  return answer.location.pathname + answer.location.search
}

/** A page for users, in the form all pages have. */
export function assertPage(answer: Answer, status: number): void {
  assert.equal(answer.status, status, answer.text.slice(0, 300))
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(answer.text, /^<!doctype html>/)
}

/** The address to which the splash goes on. */
export function splashTarget(answer: Answer): string {
  const [, seconds, url] = /^(\d+); url=(\/\S+)$/.exec(answer.headers.get('refresh') ?? '') ?? []
  assert.equal(seconds, '4')
  assert.ok(url)
  return url
}

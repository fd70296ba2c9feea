import type { KoaContextWithOIDC } from 'oidc-provider'
import { languages, ownHref } from '../../pages/index.ts'
import { type Flow, newFlow } from '../../sign-in/index.ts'
import { findClient } from '../client-documents/find-client.ts'
import type { OpenIdDeps } from '../deps.ts'
import { exchangeOf } from '../library/exchange.ts'
import { PATHS } from '../paths.ts'
import { CONSENT_IS_OURS, isConsentOurs } from './added-consent.ts'
import { ownFlow } from './authorization-state.ts'

/**
 * The page at which the browser does the next pending step of an authorization request. The request itself travels in the sealed flow:
 * nobody can change it on the way, and a stranger's request is no row.
 */
export async function signInAddress(ctx: KoaContextWithOIDC, deps: OpenIdDeps): Promise<string> {
  const { cookies, flows, now } = deps
  const { cookieHeader, flow: before, browser: signedIn, pending } = exchangeOf(ctx)
  const { params = {}, client } = ctx.oidc
  // From here on the request travels in this browser's flow, and serves nobody else (RFC 9126 §2.2).
  await ctx.oidc.entities.PushedAuthorizationRequest?.consume()
  const { browser, setCookie } = cookies.browserOf(cookieHeader)
  ctx.append('set-cookie', setCookie)
  const asksConsent = ctx.oidc.prompts.has('consent') && !isConsentOurs(params)
  const product = (await findClient(client?.clientId ?? '', deps))?.product
  const begun: Flow = newFlow(browser, {
    target: { uri: String(params.redirect_uri), productId: product?.id ?? '', kind: 'openid' },
    openid: { query: queryOf(params), begunAt: now(), asksConsent },
    namedByKey: true,
    authenticatesAnew: ctx.oidc.prompts.has('login') || params.max_age !== undefined,
  })
  const lang = languageOf(params.ui_locales)
  if (pending === 'login' || !signedIn) {
    const page = ctx.oidc.prompts.has('create') ? '/sign-up' : '/login'
    return ownHref(page, { flow: flows.seal(begun), lang })
  }
  // The user is signed in, and only a step after that is missing.
  const own = ownFlow(before, signedIn, now())
  const flow = own ? { ...own, sharingShown: undefined } : { ...begun, userId: signedIn.user.id, ndaDeclined: true }
  return ownHref(pending === 'native' ? PATHS.native : '/auth/continue', { flow: flows.seal(flow), lang })
}

/** The parameters as the library has read them, a pushed request's included. */
function queryOf(params: Record<string, unknown>): string {
  const hidden = isConsentOurs(params) ? ['request_uri', 'request', 'prompt', CONSENT_IS_OURS] : ['request_uri', 'request']
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || hidden.includes(name)) continue
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
  }
  return query.toString()
}

/** The first of the wished languages that we have (Core §3.1.2.1, `ui_locales`). */
function languageOf(wished: unknown): string | undefined {
  const tags = typeof wished === 'string' ? wished.split(' ').map((tag) => tag.toLowerCase()) : []
  const found = tags.map((tag) => languages.find((one) => one.toLowerCase() === tag || one.split('-')[0] === tag.split('-')[0]))
  return found.find((language) => language !== undefined)
}

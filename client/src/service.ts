import { readText } from './body.ts'
import { PortariaError } from './error.ts'
import { asObject, type Json, numberAt, textAt } from './json.ts'
import type { Settings } from './settings.ts'
import type { LiveClaims } from './user.ts'

/** One answer of Portaria: its status, and its body where that is a JSON object. */
interface Answer {
  status: number
  body: Json | undefined
}

/** Portaria, as an app's server asks it. */
export interface Service {
  /** Is this session good, and what is its person today? Only a valid 200 is an answer; `no_answer` is everything else, and no confirmation. */
  check(token: string): Promise<LiveClaims | 'ended' | 'no_answer'>
  /** Exchanges an `eg_token`, which works once. */
  verify(handoff: string): Promise<{ token: string } | 'invalid_token' | 'invalid_api_key' | 'no_answer'>
  /** Ends this product's session. */
  signOut(token: string): Promise<'done' | 'no_answer'>
  /** Exchanges a session for an access token (RFC 8693). Throws `PortariaError`. */
  exchange(token: string): Promise<{ accessToken: string; expiresInSeconds: number } | 'ended'>
  /** The profile that an access token speaks for; `refused`: it does not any more. Throws `PortariaError`. */
  me(accessToken: string): Promise<Json | 'refused'>
  /** Any other call: its JSON, or `PortariaError`. */
  ask(path: string, init: RequestInit): Promise<Json>
}

/** Calls carry the API key where there is one, wait no longer than `timeoutMs`, and follow no redirect. */
export function createService(settings: Settings): Service {
  const { url, apiKey, onFault } = settings
  const bearer: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const post = (path: string, body: object) =>
    call(path, { method: 'POST', headers: { ...bearer, 'content-type': 'application/json' }, body: JSON.stringify(body) }, settings)
  const tell = (path: string, { status }: Answer) => {
    const what = status === 401 ? 'refuses the API key' : status === 0 ? 'does not answer' : `answers ${status}, or no JSON,`
    onFault(`${url} ${what} at ${path}`)
  }
  return {
    async check(token) {
      const answer = await call('/auth/check', { headers: { ...bearer, cookie: `eg_session=${token}` } }, settings)
      const { authenticated, session } = answer.status === 200 ? (answer.body ?? {}) : {}
      if (authenticated === false) return 'ended'
      const live = authenticated === true ? parseLive(asObject(session)) : undefined
      if (!live) tell('/auth/check', answer)
      return live ?? 'no_answer'
    },
    async verify(handoff) {
      const answer = await post('/auth/verify', { token: handoff })
      const token = answer.status === 200 ? textAt(answer.body, 'eg_session') : null
      if (token !== null) return { token }
      const error = answer.status === 401 ? textAt(answer.body, 'error') : null
      if (error === 'invalid_token') return error
      tell('/auth/verify', answer)
      return error === 'invalid_api_key' ? error : 'no_answer'
    },
    async signOut(token) {
      const answer = await post('/auth/signout', { eg_session: token })
      if (answer.status === 200 && answer.body) return 'done'
      tell('/auth/signout', answer)
      return 'no_answer'
    },
    async exchange(token) {
      const answer = await post('/auth/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:portaria:token-type:session',
        subject_token: token,
      })
      if (answer.status === 400 && textAt(answer.body, 'error') === 'invalid_grant') return 'ended'
      const body = expectJson(answer, '/auth/token', settings)
      const [accessToken, expiresInSeconds] = [textAt(body, 'access_token'), numberAt(body, 'expires_in')]
      if (accessToken !== null && expiresInSeconds !== undefined) return { accessToken, expiresInSeconds }
      throw new PortariaError('unavailable', `${url} answers without an access token`)
    },
    async me(accessToken) {
      const answer = await call('/api/me', { headers: { authorization: `Bearer ${accessToken}` } }, settings)
      const isRefused = (answer.status === 401 || answer.status === 404) && textAt(answer.body, 'error') !== null
      return isRefused ? 'refused' : expectJson(answer, '/api/me', settings)
    },
    ask: async (path, init) => expectJson(await call(path, init, settings), path, settings),
  }
}

/** The JSON of an answer that is as it should be; else what is wrong with it is thrown. */
function expectJson({ status, body }: Answer, path: string, { url }: Settings): Json {
  if (status === 200 && body) return body
  const error = textAt(body, 'error') ?? ''
  if (status === 401 && (error === 'invalid_api_key' || error === 'invalid_client'))
    throw new PortariaError('invalid_api_key', `${url} does not know the API key`)
  if (body && status >= 400 && status < 500 && status !== 429)
    throw new PortariaError('invalid_request', `${url} refuses ${path.split('?', 1)[0]}: ${status} ${error}`)
  throw new PortariaError('unavailable', status === 0 ? `${url} does not answer` : `${url} answers ${status} in place of what was asked`)
}

/** Status 0: no answer in time. */
async function call(path: string, init: RequestInit, { url, fetch, timeoutMs }: Settings): Promise<Answer> {
  try {
    const response = await fetch(url + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, body: parse(await readText(response)) }
  } catch {
    return { status: 0, body: undefined } // the reason may quote headers, and says little that "does not answer" does not
  }
}

function parse(text: string | undefined): Json | undefined {
  try {
    return asObject(JSON.parse(text ?? ''))
  } catch {
    return undefined // a page of a proxy, say
  }
}

function parseLive(session: Json | undefined): LiveClaims | undefined {
  const [sub, name] = [textAt(session, 'sub'), textAt(session, 'name')]
  if (sub === null || name === null) return undefined
  const plan_slug = textAt(session, 'plan_slug')
  return { sub, name, email: textAt(session, 'email'), is_producer: session?.is_producer === true, plan_slug }
}

import { PortariaError } from '../error.ts'
import { asObject, type Json, numberAt, parseJson, textAt } from '../http/json.ts'
import { readText } from '../http/read-text.ts'
import type { Settings } from '../settings.ts'
import type { LiveProfile } from '../user.ts'
import { MAX_ANSWER } from './max-answer.ts'

/** One answer of Portaria: its status, and its body where that is a JSON object. */
interface Answer {
  status: number
  body: Json | undefined
  /** Portaria can't reach its database, and answers from its memory. */
  isDegraded: boolean
}

/** The calls of an app's server to Portaria. */
export interface Service {
  /**
   * Whether a session is valid, and its user's present data. Only a valid 200 is an answer; `no_answer` is everything else, and no
   * confirmation. `degraded`: Portaria has no database at the moment, so that a session outside of its memory looks invalid to it.
   */
  check(token: string): Promise<LiveProfile | 'ended' | 'no_answer' | 'degraded'>
  /** Exchanges an `eg_token`, which works once. */
  verify(handoff: string): Promise<{ token: string } | 'invalid_token' | 'invalid_api_key' | 'no_answer'>
  /** Ends this product's session. */
  signOut(token: string): Promise<'done' | 'no_answer'>
  /** Exchanges a session for an access token (RFC 8693). Throws `PortariaError`. */
  exchange(token: string): Promise<{ accessToken: string; expiresInSeconds: number } | 'ended'>
  /** The profile of an access token's user; `refused`: the token is no longer valid. Throws `PortariaError`. */
  me(accessToken: string): Promise<Json | 'refused'>
  /** Any call with the API key: its JSON, or `PortariaError`. */
  ask(path: string): Promise<Json>
}

/** Calls carry the API key if there is one, end after `timeoutMs`, and follow no redirect. */
export function createService(settings: Settings): Service {
  const { url, apiKey, onFault } = settings
  const bearer: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const post = (path: string, body: object) =>
    call(path, { method: 'POST', headers: { ...bearer, 'content-type': 'application/json' }, body: JSON.stringify(body) }, settings)
  const report = (path: string, answer: Answer) => onFault(problemOf(answer, path, settings))
  return {
    async check(token) {
      const answer = await call('/auth/check', { headers: { ...bearer, cookie: `eg_session=${token}` } }, settings)
      const { authenticated, session } = answer.status === 200 ? (answer.body ?? {}) : {}
      if (authenticated === false) return answer.isDegraded ? 'degraded' : 'ended'
      const live = authenticated === true ? parseLive(asObject(session)) : undefined
      if (!live) report('/auth/check', answer)
      return live ?? 'no_answer'
    },
    async verify(handoff) {
      const answer = await post('/auth/verify', { token: handoff })
      const token = answer.status === 200 ? textAt(answer.body, 'eg_session') : null
      if (token !== null) return { token }
      if (answer.status === 401 && textAt(answer.body, 'error') === 'invalid_token') return 'invalid_token'
      report('/auth/verify', answer)
      return isAboutKey(answer) ? 'invalid_api_key' : 'no_answer'
    },
    async signOut(token) {
      const answer = await post('/auth/signout', { eg_session: token })
      if (answer.status === 200 && answer.body) return 'done'
      report('/auth/signout', answer)
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
    ask: async (path) => expectJson(await call(path, { headers: bearer }, settings), path, settings),
  }
}

/** The JSON of a valid answer; any other is thrown as a fault. */
function expectJson(answer: Answer, path: string, settings: Settings): Json {
  const { status, body } = answer
  if (status === 200 && body) return body
  const problem = problemOf(answer, path, settings)
  if (isAboutKey(answer)) throw new PortariaError('invalid_api_key', problem)
  if (body && status >= 400 && status < 500 && status !== 429)
    throw new PortariaError('invalid_request', `${problem}: ${textAt(body, 'error') ?? ''}`)
  throw new PortariaError('unavailable', problem)
}

function isAboutKey({ status, body }: Answer): boolean {
  return status === 401 && /^invalid_(api_key|client)$/.test(textAt(body, 'error') ?? '')
}

/** Without the query of a path, which may hold personal data. */
function problemOf(answer: Answer, path: string, { url }: Settings): string {
  const { status, body } = answer
  const answered = status === 0 ? 'does not answer' : `answers ${status}${body ? '' : ' without JSON'}`
  const what = isAboutKey(answer) ? 'refuses the API key' : answered
  return `${url} ${what} at ${path.split('?', 1)[0]}`
}

/** Status 0: no answer in time. */
async function call(path: string, init: RequestInit, { url, fetch, timeoutMs }: Settings): Promise<Answer> {
  try {
    const response = await fetch(url + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    return {
      status: response.status,
      body: parseJson(await readText(response.body, MAX_ANSWER)),
      isDegraded: response.headers.has('portaria-degraded'),
    }
  } catch {
    // the reason may quote headers, and adds little to "does not answer"
    return { status: 0, body: undefined, isDegraded: false }
  }
}

function parseLive(session: Json | undefined): LiveProfile | undefined {
  const [id, name] = [textAt(session, 'sub'), textAt(session, 'name')]
  if (id === null || name === null) return undefined
  return { id, email: textAt(session, 'email'), name, isProducer: session?.is_producer === true, planSlug: textAt(session, 'plan_slug') }
}

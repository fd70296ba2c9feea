import { type Json, parseJson } from '../http/json.ts'
import { readText } from '../http/read-text.ts'
import { MAX_ANSWER } from '../service/max-answer.ts'
import type { Settings } from '../settings.ts'

export interface Reply {
  /** 0: no answer; `reason` says why. */
  status: number
  body: Json | undefined
  /** The time of sending by the other side's clock, in ms. */
  at: number | undefined
  setCookies: string[]
  reason: string
}

/** Asks Portaria as this app would, and accepts every answer. */
export interface Probe {
  get(path: string): Promise<Reply>
  /** An empty form to an address of this app. */
  post(address: string): Promise<Reply>
  /** With the API key. */
  getAsProduct(path: string): Promise<Reply>
}

export function createProbe({ url, apiKey, fetch, timeoutMs }: Settings): Probe {
  const ask = async (path: string, init: RequestInit): Promise<Reply> => {
    try {
      const answer = await fetch(path.startsWith('/') ? url + path : path, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const at = Date.parse(answer.headers.get('date') ?? '')
      const setCookies = answer.headers.getSetCookie()
      const body = parseJson(await readText(answer.body, MAX_ANSWER))
      return { status: answer.status, body, at: Number.isNaN(at) ? undefined : at, setCookies, reason: '' }
    } catch (fault) {
      return { status: 0, body: undefined, at: undefined, setCookies: [], reason: explain(fault) }
    }
  }
  const json = { accept: 'application/json' }
  const bearer: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  return {
    get: (path) => ask(path, { headers: json }),
    post: (address) => ask(address, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' }),
    getAsProduct: (path) => ask(path, { headers: { ...json, ...bearer } }),
  }
}

/** The cause that `fetch` hides: an unknown name, a closed port, an untrusted certificate. */
function explain(fault: unknown): string {
  if (!(fault instanceof Error)) return 'the request failed'
  if (fault.name === 'TimeoutError') return 'no answer in time'
  const { cause } = fault
  return cause instanceof Error ? cause.message || ('code' in cause ? String(cause.code) : cause.name) : fault.message
}

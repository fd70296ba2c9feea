import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import { BoundedMap, MINUTE_MS, type Now } from '../../kit/index.ts'
import type { LimitStore } from '../../rate-limits/index.ts'
import { type ClientDocument, type DocumentRefusal, parseDocumentAddress, readDocument } from './client-document.ts'

/** Clients that describe themselves, as this node knows them. */
export interface ClientDocuments {
  /** The address in a client id of such a client; `undefined` for every other client id. */
  addressOf(clientId: string | null | undefined): URL | undefined
  /**
   * Its description, from memory or fetched. `network`: who asks, for the limit on fetches. A description counts for as long as its server
   * says, but no less than a minute and no more than an hour.
   */
  find(address: URL, network: string): Promise<ClientDocument | FetchRefusal>
  /** Its description, if memory has it. */
  remembered(address: URL): ClientDocument | undefined
}

export type FetchRefusal = DocumentRefusal | { refusal: 'too_many' | 'unreachable' }

/** How descriptions are fetched: the limits of the draft, and no thread for a stranger's name. */
export const DOCUMENT_FETCH = { totalMs: 5_000, maxBytes: 5 * 1024, names: 'dns' } as const
const MAX_REMEMBERED = 200
const MAX_AT_ONCE = 16
/** The fetches at once that one network may cause: slow servers of one stranger leave room for everybody else's. */
const MAX_AT_ONCE_OF_NETWORK = 4
/** Fetches that a network may cause in 15 minutes. */
const MAX_FETCHES = 60
const [LEAST_MS, USUAL_MS, MOST_MS] = [MINUTE_MS, 5 * MINUTE_MS, 60 * MINUTE_MS]

interface Deps {
  guardedFetch: GuardedFetch
  limits: Pick<LimitStore, 'count'>
  isDevelopment: boolean
  now: Now
}

export function createClientDocuments({ guardedFetch, limits, isDevelopment, now }: Deps): ClientDocuments {
  const known = new BoundedMap<string, { document: ClientDocument; until: number }>(MAX_REMEMBERED)
  const fetching = new Map<string, { network: string; work: Promise<ClientDocument | FetchRefusal> }>()
  const remembered = ({ href }: URL) => {
    const found = known.get(href)
    return found && found.until > now() ? found.document : undefined
  }
  /** The description from memory, or from a fetch for which others wait already. */
  const findHere = (address: URL) => remembered(address) ?? fetching.get(address.href)?.work
  const fetchAnew = async (address: URL): Promise<ClientDocument | FetchRefusal> => {
    const answer = await load(address, guardedFetch)
    if (!answer) return { refusal: 'unreachable' }
    const document = readDocument(answer.text, address)
    // A refusal is not remembered: its owner is putting it right.
    if (!('refusal' in document)) known.set(address.href, { document, until: now() + answer.lifeMs })
    return document
  }
  return {
    addressOf: (clientId) => (clientId ? parseDocumentAddress(clientId, { isDevelopment }) : undefined),
    remembered,
    async find(address, network) {
      const before = findHere(address)
      if (before) return before
      const { within } = await limits.count({ key: `openid:document:${network}`, most: MAX_FETCHES, windowMs: 15 * MINUTE_MS }, now())
      if (!within) return { refusal: 'too_many' }
      const meanwhile = findHere(address)
      if (meanwhile) return meanwhile
      const ofNetwork = [...fetching.values()].filter((other) => other.network === network)
      if (fetching.size >= MAX_AT_ONCE || ofNetwork.length >= MAX_AT_ONCE_OF_NETWORK) return { refusal: 'too_many' }
      const work = fetchAnew(address).finally(() => fetching.delete(address.href))
      fetching.set(address.href, { network, work })
      return work
    },
  }
}

/** The text at the address, and how long it counts; `undefined` for everything but a short 200. A redirect is not followed. */
async function load(address: URL, guardedFetch: GuardedFetch): Promise<{ text: string; lifeMs: number } | undefined> {
  try {
    const answer = await guardedFetch(address.href, { headers: { accept: 'application/json' } })
    if (answer.status !== 200 || !/^application\/([\w.-]+\+)?json\b/i.test(answer.headers.get('content-type') ?? '')) {
      await answer.body?.cancel()
      return undefined
    }
    return { text: await answer.text(), lifeMs: lifeOf(answer.headers) }
  } catch {
    return undefined // a private address, a fault of the network, too slow, or too long
  }
}

/** `Cache-Control` (RFC 9111 §5.2) within our bounds: a page must not fetch at each click, and a change must count some time. */
function lifeOf(headers: Headers): number {
  const says = headers.get('cache-control')?.toLowerCase() ?? ''
  if (/\bno-(store|cache)\b/.test(says)) return LEAST_MS
  const seconds = /\bmax-age=(\d+)/.exec(says)?.[1]
  return seconds === undefined ? USUAL_MS : Math.min(Math.max(Number(seconds) * 1000, LEAST_MS), MOST_MS)
}

import { z } from 'zod'
import { HOUR_MS, mistypedTaxId, parseTaxId } from '../../kit/index.ts'
import type { Caller } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { refuseBeyond } from '../api/rate-limits.ts'
import type { Refused } from '../api/refusals.ts'
import { search } from './search.ts'
import { maySee, SEARCH_RESULT_TYPES, searchResultJson } from './search-result.ts'

const MOST = 20
/** Within an hour. Support looks each caller up more than once. */
const MOST_TAX_IDS = 60

const searchResultSchema = z
  .object({
    type: z.enum(SEARCH_RESULT_TYPES),
    id: z.string(),
    title: z.string(),
    subtitle: z.string(),
    state: z.string().nullable().describe('of a subscription or a notification'),
    user_id: z.uuid().nullable().describe('whose it is, where that is known'),
    path: z.string().describe('where the console shows it'),
  })
  .meta({ id: 'SearchResult' })
const example = {
  type: 'user',
  id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
  title: 'Ana Souza',
  subtitle: 'ana@example.com',
  state: null,
  user_id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
  path: '/users/0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21/show',
}
const answerSchema = z.object({
  data: z.array(searchResultSchema),
  mistyped: z.enum(['cpf', 'cnpj']).nullable().describe('`q` has the form of one, and its check digits are wrong: nobody can have it'),
})
const searchQuery = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe(
      'an address, words of a name, a CPF or CNPJ, a phone, an id of ours, or what a gateway calls a payment, a subscription, an order or an event',
    ),
})

/** The search box, for anything that a user can read out over the phone. */
export function searchRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/search',
    operationId: 'search',
    summary: 'Find whatever this can be',
    description:
      `The exact first, ${MOST} at most. A script finds what its scopes let it read; a viewer, users by whole words and by no tax id. ` +
      `Tax ids are asked for ${MOST_TAX_IDS} times an hour at most.`,
    may: 'search:read',
    query: searchQuery,
    answer: { description: 'What was found', schema: answerSchema, example: { data: [example], mistyped: null } },
    async work({ query, caller }) {
      const tooMany = await refuseGuessing(query.q, caller, deps)
      if (tooMany) return tooMany
      const found = await search(query.q, { db: deps.storage.db, masterKeys: deps.masterKeys, caller })
      const seen = found.filter((one) => maySee(one, caller)).slice(0, MOST)
      const mistyped = caller.role === 'viewer' ? undefined : mistypedTaxId(query.q)
      return { body: { data: seen.map((one) => searchResultJson(one, caller)), mistyped: mistyped ?? null } }
    },
  })
}

/**
 * The visible part of a tax id leaves a thousand candidates: the limit keeps anyone from trying them all. A viewer may not search for one.
 */
async function refuseGuessing(typed: string, caller: Caller, deps: AdminDeps): Promise<Refused | undefined> {
  if (!parseTaxId(typed) || caller.role === 'viewer') return undefined
  return refuseBeyond([{ key: `tax-id:${caller.name}`, most: MOST_TAX_IDS, windowMs: HOUR_MS }], deps)
}

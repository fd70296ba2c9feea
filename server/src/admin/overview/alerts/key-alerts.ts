import { DAY_MS } from '../../../kit/index.ts'
import { signingKeyState, signingKeyStore, signsUntil } from '../../../sessions/index.ts'
import type { Alert, AlertDeps } from './alert.ts'
import { alertStore } from './alert-store.ts'

const KEY_AHEAD_MS = 7 * DAY_MS
const TOKENS_AHEAD_MS = 14 * DAY_MS

/** The next key is made automatically a day ahead: without one, the housekeeping does not run. */
export async function signingKeyOf({ storage, now }: AlertDeps): Promise<Alert[]> {
  const keys = await signingKeyStore(storage.db).list()
  const stateOf = (wanted: string) => keys.find((key) => signingKeyState(key, keys, now) === wanted)
  const signing = stateOf('signing')
  if (!signing || stateOf('next')) return []
  const until = signsUntil(signing)
  if (until > now + KEY_AHEAD_MS) return []
  return [{ kind: 'signing_key_ending', severity: until > now + DAY_MS / 2 ? 'info' : 'bad', count: 1, until, path: '/signing-keys' }]
}

export async function powerOf({ storage, now }: AlertDeps): Promise<Alert[]> {
  const store = alertStore(storage.db)
  const tokens = await store.countEndingTokens(now, now + TOKENS_AHEAD_MS)
  const unguarded = await store.countUnguardedAdministrators()
  const items = [
    { kind: 'tokens_ending', severity: 'warning', count: tokens.count, until: tokens.first, path: '/tokens' },
    { kind: 'unguarded_administrators', severity: 'warning', count: unguarded, path: '/administrators' },
  ] as const
  return items.filter((item) => item.count > 0)
}

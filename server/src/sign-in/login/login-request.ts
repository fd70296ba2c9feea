/** The query of `GET /auth/login`, as an app's redirect may give it. */
export interface LoginRequest {
  variant: 1 | 2
  target: string
  state: string | undefined
  publishableKey: string | undefined
  /** `prompt=login`: ask for the password even if the user is signed in. */
  forcesLogin: boolean
}

export type LoginRequestRefusal = 'target_missing' | 'parameters_invalid' | 'state_invalid'

const SINGLE = ['redirect_to', 'redirect_uri', 'state', 'api_key', 'prompt']
const MAX_STATE = 512

/**
 * Reads the query of `GET /auth/login`: variant 1 names `redirect_to`, variant 2 `redirect_uri`; neither, both or one of them twice is
 * refused.
 */
export function parseLoginRequest(query: URLSearchParams): LoginRequest | LoginRequestRefusal {
  if (SINGLE.some((name) => query.getAll(name).length > 1)) return 'parameters_invalid'
  const redirectTo = query.get('redirect_to')
  const redirectUri = query.get('redirect_uri')
  if (redirectTo !== null && redirectUri !== null) return 'parameters_invalid'
  const target = redirectTo ?? redirectUri
  if (target === null) return 'target_missing'
  const state = query.get('state') ?? undefined
  if (state !== undefined && state.length > MAX_STATE) return 'state_invalid'
  return {
    variant: redirectTo === null ? 2 : 1,
    target,
    state,
    publishableKey: query.get('api_key') ?? undefined,
    forcesLogin: query.get('prompt') === 'login',
  }
}

// guarded-fetch: requests to servers of others. Owns: the connection that refuses private addresses, its timeout and its limit of
// bytes. Does not own: the requests themselves (identity-providers, gateways).

export { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'

// openid: apps that speak OpenID Connect. Owns: the library behind our routes, its storage, a product as a client, clients that describe
// themselves, what stands before a code, RP-initiated logout. Does not own: signing in (sign-in), sessions and keys (sessions), a product's
// settings (products).

export { type DescribedClient, describedClientStore } from './client-documents/described-client-store.ts'
export { createClientDocuments, DOCUMENT_FETCH } from './client-documents/fetch-document.ts'
export { allowClient, refuseClient, revokeClient } from './client-documents/refuse-client.ts'
export { openIdRoutes } from './routes.ts'
export { forgetExpiredTokens } from './store.ts'

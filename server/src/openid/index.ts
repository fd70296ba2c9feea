// openid: apps that speak OpenID Connect. Owns: the library behind our routes, its storage, a product as a client, clients that describe
// themselves, what stands before a code, RP-initiated logout. Does not own: signing in (sign-in), sessions and keys (sessions), a product's
// settings (products).

export { createClientDocuments, DOCUMENT_FETCH } from './client-documents/fetch-document.ts'
export { openIdRoutes } from './routes.ts'
export { forgetExpiredTokens } from './store.ts'

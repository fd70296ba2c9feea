// openid: apps that speak OpenID Connect. Owns: the library behind our routes, its storage, a product as a client, what stands before a
// code, RP-initiated logout. Does not own: signing in (sign-in), sessions and keys (sessions), a product's settings (products).

export { openIdRoutes } from './routes.ts'
export { forgetExpiredTokens } from './store.ts'

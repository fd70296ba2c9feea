// my-account: a user's own pages. Owns: /account and its subpages: name and picture, tax id, password, address, passkeys, second factor,
// sessions, purchases, consents, providers, language, export, deletion. Does not own: signing in, nor the recent authentication that some
// of these pages require (sign-in).

export { myAccountRoutes } from './routes.ts'

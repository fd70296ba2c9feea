// my-account: a user's own pages. Owns: /account and what is below it: password, address, passkeys, second factor, sessions, purchases,
// consents, providers, language, export, deletion. Does not own: signing in, also not the recent authentication that some of these pages
// ask for (sign-in).

export { myAccountRoutes } from './routes.ts'

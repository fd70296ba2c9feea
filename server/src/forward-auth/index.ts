// forward-auth: proxies that ask before each request to an app that knows nothing of sign-in (decision 160). Owns: the answer, its headers,
// its memory, the rule of a product. Does not own: hosts and their rows (products), the check of a session (sessions), the pages behind a
// refusal (sign-in).

export { decideEntry } from './decide.ts'
export { forwardAuthRoutes } from './routes.ts'
export {
  applyForwardAuth,
  type ForwardAuthChange,
  type ForwardAuthPlace,
  type ForwardAuthRefusal,
  setForwardAuth,
} from './set-forward-auth.ts'

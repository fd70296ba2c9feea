import type { AuthProvider } from 'react-admin'
import { AdminFault } from './api/admin-fault.ts'
import { type CallAdmin, createCallAdmin } from './api/admin-http.ts'
import { createReauthentication, type Reauthentication } from './api/reauthentication.ts'
import { type AdminScope, may, type Role, scopeOf } from './roles.ts'

/** The signed-in administrator. */
export interface Me {
  id: string
  name: string
  email: string
  role: Role
  /** Two-step verification, or a passkey. */
  has_second_factor: boolean
  /** The operator's, as `America/Sao_Paulo`. */
  time_zone: string
}

export const SIGN_IN_PATH = '/admin/sign-in'
export const REAUTHENTICATE_PATH = '/admin/authenticate'
/** The channel on which a sign-in begun at `REAUTHENTICATE_PATH` announces its end. */
export const AUTHENTICATED_CHANNEL = 'portaria-admin'
export const SIGN_OUT_PATH = '/auth/signout'
const RETURN_KEY = 'portaria.console.return'

/** The user, the queue in which requests wait for a sign-in, and the way to the API. One of each for a page. */
export interface Session {
  reauthentication: Reauthentication
  call: CallAdmin
  /** Asks for the present user, without the dialog: the first screen shows its refusals. */
  findMe(): Promise<Me | AdminFault>
}

export function createSession(fetch: typeof globalThis.fetch): Session {
  let known: Me | undefined
  const callOnce = createCallAdmin({ fetch, reauthentication: { ask: async () => 'cancelled' } })
  const ask = async (): Promise<Me | AdminFault> => {
    try {
      return (await callOnce<Me>({ path: 'me' })).body
    } catch (error) {
      if (error instanceof AdminFault) return error
      throw error
    }
  }
  const reauthentication = createReauthentication({
    isSameUser: async () => {
      const me = await ask()
      return me instanceof AdminFault ? undefined : known === undefined || known.id === me.id
    },
  })
  return {
    reauthentication,
    call: createCallAdmin({ fetch, reauthentication, user: () => known?.id }),
    async findMe() {
      const me = await ask()
      if (!(me instanceof AdminFault)) known = me
      return me
    },
  }
}

/** The whole page goes to the sign-in, and comes back to its address. */
export function goToSignIn(): void {
  sessionStorage.setItem(RETURN_KEY, location.pathname + location.search)
  location.assign(SIGN_IN_PATH)
}

/** After a sign-in: the address that was asked for before it. */
export function resumePath(): void {
  const path = sessionStorage.getItem(RETURN_KEY)
  sessionStorage.removeItem(RETURN_KEY)
  if (path?.startsWith('/admin/') && /^\/admin\/?$/.test(location.pathname)) history.replaceState(undefined, '', path)
}

/**
 * react-admin fills a form from `?source=` of its address, hidden fields included: the author of a link could make the user save values
 * that they never saw. Nothing here needs it.
 */
export function dropPrefill(): void {
  const query = new URLSearchParams(location.search)
  if (!query.has('source')) return
  query.delete('source')
  history.replaceState(undefined, '', `${location.pathname}?${query}${location.hash}`)
}

/** react-admin's questions about the user, answered from memory: an ended session is handled by the dialog. */
export function createAuthProvider(me: Me): AuthProvider {
  return {
    login: async () => undefined,
    logout: async () => location.assign(SIGN_OUT_PATH),
    checkAuth: async () => undefined,
    checkError: async () => undefined,
    getIdentity: async () => ({ id: me.id, fullName: me.name }),
    getPermissions: async () => me.role,
    canAccess: async ({ resource, action }) => {
      const scope: AdminScope | undefined = scopeOf(resource, action)
      return scope === undefined || may(me.role, scope)
    },
  }
}

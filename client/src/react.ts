'use client'
// @portaria/client/react: the signed-in user, for components in the browser and for rendering on the server.
import {
  type ComponentProps,
  createContext,
  createElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { createSessionStore, type SessionState, type SessionStore } from './session-store.ts'
import type { Session, User } from './user.ts'

export type { SessionState } from './session-store.ts'
export type { Session, SignedOutReason, User } from './user.ts'

const Context = createContext<{ store: SessionStore | undefined; authPath: string }>({ store: undefined, authPath: '/auth' })

export interface SessionProviderProps {
  /** The session that the server knows when it renders, as `session()` answers it: then nothing has to be loaded. */
  initial?: Session | undefined
  /**
   * The app's address for the session, as the browser requests it. Default `/api/auth/session`. A whole address if the server has another
   * origin, which must allow this one.
   */
  sessionPath?: string | undefined
  /** The base of sign-in and sign-out, as the browser requests them. Default `/auth`; it can be a whole address. */
  authPath?: string | undefined
  children?: ReactNode
}

/**
 * Put it around all components that use the session. It asks the app's server if `initial` is missing, and again when the window gets the
 * focus. A sign-out in one tab shows in all.
 */
export function SessionProvider({
  initial,
  sessionPath = '/api/auth/session',
  authPath = '/auth',
  children,
}: SessionProviderProps): ReactElement {
  const [store] = useState(() => createSessionStore(sessionPath, initial))
  useEffect(() => store.start(), [store])
  useEffect(() => {
    if (initial) store.adopt(initial)
  }, [store, initial])
  const value = useMemo(() => ({ store, authPath }), [store, authPath])
  return createElement(Context.Provider, { value }, children)
}

/** The state of the session: `loading`, `signed_in` with the user, or `signed_out` with the reason. */
export function useSession(): SessionState {
  const { store } = useContext(Context)
  if (!store) throw new Error('useSession needs a <SessionProvider> above it')
  return useSyncExternalStore(store.subscribe, store.get, () => store.initial)
}

/** Shown to signed-in users; a function gets the user. */
export function SignedIn({ children }: { children: ReactNode | ((user: User) => ReactNode) }): ReactNode {
  const session = useSession()
  if (session.status !== 'signed_in') return null
  return typeof children === 'function' ? children(session.user) : children
}

/** Shown to users who are not signed in, and not while that is unknown. */
export function SignedOut({ children }: { children: ReactNode }): ReactNode {
  return useSession().status === 'signed_out' ? children : null
}

export interface SignInButtonProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** The path of this app to return to. Default: the present page; without JavaScript, the front page. */
  returnTo?: string | undefined
}

/** A link to sign in. */
export function SignInButton({ returnTo, onClick, ...props }: SignInButtonProps): ReactElement {
  const { authPath } = useContext(Context)
  const href = withReturnTo(`${authPath}/sign-in`, returnTo)
  const aim = (event: MouseEvent<HTMLAnchorElement>) => {
    // Not while rendering: the server does not know the present page, and no render follows its changes.
    if (returnTo === undefined)
      event.currentTarget.href = withReturnTo(
        href,
        authPath.startsWith('/') ? location.pathname + location.search + location.hash : location.href,
      )
    onClick?.(event)
  }
  return createElement('a', { ...props, href, onClick: aim })
}

export interface SignOutButtonProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** The path of this app after the sign-out. Default: its front page. */
  returnTo?: string | undefined
  /** `everywhere`: out of all apps of the family. An internal app has no other. */
  scope?: 'app' | 'everywhere' | undefined
}

/**
 * A link to sign out. It is a navigation, since Portaria's own cookie must go as well, and a plain link, since a router's would be
 * prefetched.
 */
export function SignOutButton({ returnTo, scope, onClick, ...props }: SignOutButtonProps): ReactElement {
  const { store, authPath } = useContext(Context)
  const path = `${authPath}/sign-out${scope === 'everywhere' ? '?scope=everywhere' : ''}`
  const leave = (event: MouseEvent<HTMLAnchorElement>) => {
    if (returnTo === undefined && !authPath.startsWith('/')) event.currentTarget.href = withReturnTo(path, `${location.origin}/`)
    onClick?.(event)
    if (!event.defaultPrevented) store?.announceSignOut()
  }
  return createElement('a', { rel: 'nofollow', ...props, href: withReturnTo(path, returnTo), onClick: leave })
}

function withReturnTo(path: string, returnTo: string | undefined): string {
  if (returnTo === undefined) return path
  return `${path}${path.includes('?') ? '&' : '?'}return_to=${encodeURIComponent(returnTo)}`
}

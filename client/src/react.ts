'use client'
// @portaria/client/react: who is signed in, for components in the browser and while rendering on the server.
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
  /** What the server knows when it renders, as `session()` answers it: then nothing has to be loaded. */
  initial?: Session | undefined
  /**
   * Where the app answers with the session, as the browser asks for it. Default `/api/auth/session`. A whole address where the server has
   * another origin, which must allow this one.
   */
  sessionPath?: string | undefined
  /** Where sign-in and sign-out lie, as the browser asks for them. Default `/auth`; a whole address as well. */
  authPath?: string | undefined
  children?: ReactNode
}

/**
 * Around everything that wants to know who is signed in. It asks the app's server where `initial` is missing, and again when the window is
 * looked at; a sign-out in one tab is seen in all.
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

/** Who is signed in: `loading`, `signed_in` with the user, or `signed_out` with the reason. */
export function useSession(): SessionState {
  const { store } = useContext(Context)
  if (!store) throw new Error('useSession needs a <SessionProvider> above it')
  return useSyncExternalStore(store.subscribe, store.get, () => store.initial)
}

/** Shown to whom is signed in; a function gets the user. */
export function SignedIn({ children }: { children: ReactNode | ((user: User) => ReactNode) }): ReactNode {
  const session = useSession()
  if (session.status !== 'signed_in') return null
  return typeof children === 'function' ? children(session.user) : children
}

/** Shown to whom is not signed in; to nobody while that is not known. */
export function SignedOut({ children }: { children: ReactNode }): ReactNode {
  return useSession().status === 'signed_out' ? children : null
}

export interface SignInButtonProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** A path of this app to go on at. Default: where the person is; without JavaScript, the front page. */
  returnTo?: string | undefined
}

/** A link to sign in. */
export function SignInButton({ returnTo, onClick, ...props }: SignInButtonProps): ReactElement {
  const { authPath } = useContext(Context)
  const href = withReturnTo(`${authPath}/sign-in`, returnTo)
  const aim = (event: MouseEvent<HTMLAnchorElement>) => {
    // Not while rendering: the server does not know where the person is, nor would anybody render again when that changes.
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
  /** A path of this app to end at. Default: its front page. */
  returnTo?: string | undefined
  /** `everywhere`: out of all apps of the family. An internal app has no other. */
  scope?: 'app' | 'everywhere' | undefined
}

/** A link to sign out. A navigation, since Portaria's own cookie has to go as well; a plain link, since a router's would fetch it ahead. */
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

import { createContext, useContext } from 'react'
import type { AdminRequest } from './api/admin-http.ts'
import { type AdminScope, may } from './roles.ts'
import type { Me, Session } from './session.ts'

/** The context of every page: the user, and the calls to the API. */
export interface Console {
  me: Me
  session: Session
  /** Of the operator's days, as `America/Sao_Paulo`: every time is shown in it, so that lists and figures agree. */
  timeZone: string
  setTimeZone: (zone: string) => void
}

export const ConsoleContext = createContext<Console | undefined>(undefined)

function useConsole(): Console {
  const found = useContext(ConsoleContext)
  if (!found) throw new Error('this stands outside the console')
  return found
}

/** The operator's time zone. */
export function useTimeZone(): string {
  return useConsole().timeZone
}

export function useSetTimeZone(): (zone: string) => void {
  return useConsole().setTimeZone
}

export function useMe(): Me {
  return useConsole().me
}

/** Whether the user's role has a permission: for hiding buttons that would be refused. */
export function useMay(scope: AdminScope): boolean {
  return may(useConsole().me.role, scope)
}

/**
 * `callAdmin<Overview>({ path: adminPath('overview') })`: the answer's body. Waits for an authentication if needed; throws `AdminFault`.
 */
export function useCallAdmin(): <T>(request: AdminRequest) => Promise<T> {
  const { session } = useConsole()
  return async <T>(request: AdminRequest) => (await session.call<T>(request)).body
}

export function useSession(): Session {
  return useConsole().session
}

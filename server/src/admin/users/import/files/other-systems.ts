import { auth0 } from './systems/auth0.ts'
import { betterAuth } from './systems/better-auth.ts'
import { clerk } from './systems/clerk.ts'
import { firebase } from './systems/firebase.ts'
import { keycloak } from './systems/keycloak.ts'
import type { OtherSystem } from './systems/other-system.ts'
import { supabase } from './systems/supabase.ts'
import { wordpress } from './systems/wordpress.ts'

/** Each turns a record of an export into one of ours. */
export const OTHER_SYSTEMS = { auth0, firebase, supabase, clerk, 'better-auth': betterAuth, keycloak, wordpress } as const satisfies Record<
  string,
  OtherSystem
>

export type OtherSystemName = keyof typeof OTHER_SYSTEMS

/** The system whose export has these fields, where one alone has them. */
export function recogniseSystem(names: readonly string[]): OtherSystemName | undefined {
  const found = Object.entries<OtherSystem>(OTHER_SYSTEMS).filter(([, { marks }]) =>
    marks.some((mark) => mark.every((name) => names.includes(name))),
  )
  return found.length === 1 ? (found[0]?.[0] as OtherSystemName) : undefined
}

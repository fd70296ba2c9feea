import type { ReactNode } from 'react'
import { useMe } from '../console-context.ts'
import { type AdminScope, may } from '../roles.ts'
import { DeniedPage } from './denied-page.tsx'

/** A page for roles that may see it; others get a message. The service refuses them in any case. */
export function Allowed({ scope, children }: { scope: AdminScope | undefined; children: ReactNode }) {
  const { role } = useMe()
  return scope === undefined || may(role, scope) ? children : <DeniedPage />
}

import type { ReactNode } from 'react'
import { useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { type AdminScope, may } from '../roles.ts'
import { Empty } from './empty.tsx'
import { kitTexts } from './texts.ts'

/** A page for those whose role may see it; the others are told. The service refuses them in any case. */
export function Allowed({ scope, children }: { scope: AdminScope | undefined; children: ReactNode }) {
  const texts = useTexts(kitTexts)
  const { role } = useMe()
  if (scope === undefined || may(role, scope)) return children
  return <Empty title={texts.notAllowed}>{texts.notAllowedHint}</Empty>
}

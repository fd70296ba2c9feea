import { useTranslate } from 'react-admin'
import { useTexts } from '../i18n/use-texts.ts'
import type { AdminScope } from '../roles.ts'
import { tokenTexts } from './texts.ts'

/** The words for resources and for what is done with them. */
export function useScopeLabels(): { resourceOf: (resource: string) => string; actionOf: (scope: AdminScope) => string } {
  const texts = useTexts(tokenTexts)
  const translate = useTranslate()
  return {
    resourceOf: (resource) => labelOf(texts.resources, resource) ?? translate(`resources.${resource}.name`, { smart_count: 2 }),
    actionOf: (scope) => labelOf(texts.scopeActions, scope.slice(scope.indexOf(':') + 1)) ?? scope,
  }
}

function labelOf(labels: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined
}

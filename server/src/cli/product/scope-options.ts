import { isScope, type Product, SCOPES } from '../../products/index.ts'
import { parsedBy } from '../command/input.ts'

export const parseScopes = parsedBy(scopesOf, `any of ${SCOPES.join(' ')}, with spaces between them`)

function scopesOf(text: string): Product['scopes'] | undefined {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  return names.every(isScope) ? names.filter(isScope) : undefined
}

import type { AdminTokenRefusal } from '../../admin/index.ts'
import { NAME } from './forms.ts'

export const NO_SUCH_TOKEN = 'there is no such token that is not revoked already: see `portaria token list`'

export function adminTokenSentence(refused: AdminTokenRefusal): string {
  if (refused.refusal === 'name_malformed') return `${NAME}, 100 characters at most`
  return `a token of this role can't have the scope ${refused.scope}: its role may not do that. Choose another role, or leave the scope out`
}

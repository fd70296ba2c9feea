import type { Authentication } from '../../users/index.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'
import type { OutcomeDeps } from '../guards/outcome-guards.ts'

export interface LoginDeps extends CompleteSignInDeps, OutcomeDeps {
  authenticate: Authentication
}

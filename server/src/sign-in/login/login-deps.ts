import type { Metrics } from '../../http/index.ts'
import type { Authentication } from '../../users/index.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'

export interface LoginDeps extends CompleteSignInDeps {
  authenticate: Authentication
  metrics: Metrics
}

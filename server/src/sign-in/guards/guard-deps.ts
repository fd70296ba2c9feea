import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Responses } from '../../http/index.ts'
import type { ListOfferedProviders } from '../../identity-providers/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import type { LimitStore } from '../../rate-limits/index.ts'
import type { Tokens } from '../../sessions/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { DeviceCookies } from '../../users/index.ts'
import type { AttemptDeps } from '../flow/sign-in-attempt.ts'

/** The deps of the guards. A journey adds those it uses itself. */
export interface GuardDeps extends AttemptDeps {
  responses: Responses
  storage: Storage
  limits: LimitStore
  listProviders: ListOfferedProviders
  sealer: Sealer
  now: Now
}

/** The further deps of every journey that ends with a sign-in. */
export interface CompleteSignInDeps extends GuardDeps {
  changes: ChangeFeed
  tokens: Tokens
  devices: DeviceCookies
  outbox: Pick<Outbox, 'wake'>
  codeKey: Uint8Array
}

/** A handler behind a guard: it receives the guard's result, and the deps that the guards were made with. It declares those it uses. */
export type Step<Given, Deps = GuardDeps> = (
  request: FastifyRequest,
  reply: FastifyReply,
  given: Given,
  deps: Deps,
) => FastifyReply | Promise<FastifyReply>

import type { z } from 'zod'
import type { Actor } from '../../audit/index.ts'
import type { Responses } from '../../http/index.ts'
import type { LimitStore } from '../../rate-limits/index.ts'
import type { Caller, CallerDeps } from './caller.ts'
import type { Cursors } from './cursor.ts'
import type { AdminScope } from './permissions.ts'
import type { AdminRefusal, Refused } from './refusals.ts'

/**
 * One operation of /api/admin. Everything that must never be forgotten (who, how often, from where, which version) is asked here, and not
 * in `work`.
 */
export interface AdminRoute<Query extends z.ZodObject, Body extends z.ZodObject> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/admin, as in `/users/:id`. */
  path: string
  operationId: string
  summary: string
  description?: string
  /** The scope; `undefined` where any role will do. */
  may: AdminScope | undefined
  /** What a browser that somebody left open must not do. Asked last: nobody signs in again to be told of a slip of the pen. */
  authentication?: 'recent'
  query: Query
  body: Body
  /** What is wrong with the body in itself, beyond its form: what can be said without looking anything up. */
  check?(body: z.output<Body>): Refused | undefined
  /** Whether a change must say which version it changes (RFC 9110 §13.1.1). */
  version?: 'required'
  /**
   * Fields of the answer, at any depth, whose text a viewer does not see; mail addresses are hidden from viewers wherever they stand
   * (veil.ts).
   */
  personal?: readonly string[]
  /** The form of the answer, with an example. */
  answer: { description: string; schema: z.ZodType; example: unknown; status?: 200 | 201 }
  /** The refusals that `work` itself answers; those of asking at all are known. */
  refuses?: readonly AdminRefusal[]
  work(call: AdminCall<z.output<Query>, z.output<Body>>): Promise<AdminAnswer>
}

/** What was asked, checked. */
export interface AdminCall<Query, Body> {
  /** The `:id` of the path; empty where there is none. */
  id: string
  /** All that the path names. */
  params: Readonly<Record<string, string>>
  query: Query
  body: Body
  caller: Caller
  /** For the audit log: the caller, from where, and the `reason` of the body. */
  actor: Actor
  /** The version in If-Match, without its quotes; `undefined` for none, or `*`. */
  seen: string | undefined
  ip: string
  userAgent: string
  /** The secret of the browser's bound cookie; `undefined` for a script. */
  boundSecret: string | undefined
  /** Where this process itself listens: what stands in front of it may not be reached from inside. */
  listeningUrl(): string | undefined
}

/** `version` becomes the ETag, `cookies` are set in the browser that asks. */
export type AdminAnswer =
  | { body: unknown; version?: string; cookies?: readonly string[] }
  | { file: { name: string; body: unknown } }
  | Refused

export interface AdminApiDeps extends CallerDeps {
  responses: Responses
  limits: LimitStore
  cursors: Cursors
}

import { z } from 'zod'
import type { Actor } from '../../audit/index.ts'
import type { Responses } from '../../http/index.ts'
import type { LimitStore } from '../../rate-limits/index.ts'
import type { Caller, CallerDeps } from './caller.ts'
import type { Cursors } from './cursor.ts'
import type { AdminScope } from './permissions.ts'
import type { AdminRefusal, Refused } from './refusals.ts'

/** The form of a query or body that an operation does not have: any content is the caller's mistake. */
export const nothing = z.strictObject({})
export type Nothing = typeof nothing

/**
 * One operation of /api/admin. Everything that must never be forgotten (caller, limits, origin, version) is checked here, and not in
 * `work`.
 */
export interface AdminRoute<Query extends z.ZodObject, Body extends z.ZodObject> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/admin, as in `/users/:id`. */
  path: string
  operationId: string
  summary: string
  description?: string
  /** The scope; `undefined`: any role will do. */
  may: AdminScope | undefined
  /** An action that an unattended browser must not do. Checked last: nobody signs in again only to hear of a typing error. */
  authentication?: 'recent'
  /** The form of the query, and of the body; `nothing` where none is given. */
  query?: Query
  body?: Body
  /** The errors of the body beyond its form, as far as they need no query. */
  check?(body: z.output<Body>): Refused | undefined
  /** The longest body, where it is longer than others may be. */
  bodyLimitBytes?: number
  /** Whether a change must name the version that it changes (RFC 9110 §13.1.1). */
  version?: 'required'
  /** Fields of the answer, at any depth, whose text is hidden from viewers; mail addresses are hidden from them everywhere (mask.ts). */
  personal?: readonly string[]
  /** The form of the answer, with an example; without a form it is a page. `csv`: a table, by an example. */
  answer:
    | { description: string; schema: z.ZodType; example: unknown; status?: 200 | 201 }
    | { description: string; csv: string; status?: 200 }
    | { description: string; status?: 200 }
  /** The refusals of `work` itself; those of every operation are known. */
  refuses?: readonly AdminRefusal[]
  work(call: AdminCall<z.output<Query>, z.output<Body>>): Promise<AdminAnswer>
}

/** An operation whose forms do not matter. */
export type AnyRoute = AdminRoute<z.ZodObject, z.ZodObject>

/** The validated request. */
export interface AdminCall<Query, Body> {
  /** The `:id` of the path; empty where there is none. */
  id: string
  /** All parameters of the path. */
  params: Readonly<Record<string, string>>
  query: Query
  body: Body
  caller: Caller
  /** Whether the caller may still do this, in this role: their session or token may end while an answer is sent. */
  stillMay(): Promise<boolean>
  /** For the audit log: the caller, their address, and the `reason` of the body. */
  actor: Actor
  /** The version in If-Match, without its quotes; `undefined` for none, or `*`. */
  seen: string | undefined
  ip: string
  userAgent: string
  /** The secret of the browser's bound cookie; `undefined` for a script. */
  boundSecret: string | undefined
  /** The address on which this process listens: from inside, the proxy in front of it may be unreachable. */
  listeningUrl(): string | undefined
}

/** `version` becomes the ETag; `cookies` are set in the caller's browser. */
export type AdminAnswer =
  | { body: unknown; version?: string; cookies?: readonly string[] }
  | { preview: { markup: string; styles: readonly string[] } }
  | { file: { name: string; body: unknown } }
  | { table: Table }
  | Refused

/** A file of rows that are read while it is sent. `columns`: paths in a row. `first` was read already, so `rest` is under way. */
export interface Table {
  name: string
  columns: readonly string[]
  first: readonly unknown[]
  rest: AsyncGenerator<readonly unknown[], void, void>
  /** The part of a row that the caller may see. Absent: all of it. */
  shown?(row: unknown): unknown
}

export interface AdminApiDeps extends CallerDeps {
  responses: Responses
  limits: LimitStore
  cursors: Cursors
}

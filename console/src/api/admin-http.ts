import { AdminFault } from './admin-fault.ts'
import type { MissingAuthentication, Reauthentication } from './reauthentication.ts'

export interface AdminRequest {
  /** Below `/api/admin/`, with its query: made by `adminPath`. */
  path: string
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  body?: unknown
  /** The version that was read: the service refuses if the record has another one by now. */
  ifMatch?: string | undefined
  signal?: AbortSignal | undefined
  /** A file to download: the answer's body is a `Blob`. */
  as?: 'file'
}

export interface AdminAnswer<T> {
  body: T
  etag: string | undefined
}

/** Calls the admin API. Throws `AdminFault`, and for an aborted request its own error. */
export type CallAdmin = <T>(request: AdminRequest) => Promise<AdminAnswer<T>>

/** `adminPath('users', id, 'disable')`: every part is escaped, so that no id leads elsewhere. */
export function adminPath(...parts: Array<string | number>): string {
  return parts.map((part) => encodeURIComponent(part)).join('/')
}

interface CallDeps {
  fetch: typeof globalThis.fetch
  reauthentication: Pick<Reauthentication, 'ask'>
  /** The id of this console's user: if another user has signed in in this browser meanwhile, the service refuses (401). */
  user?: () => string | undefined
}

/**
 * If the service asks for authentication, the request waits and is sent again unchanged: no typed text is lost. After a cancel the caller
 * gets the service's refusal.
 */
export function createCallAdmin({ fetch, reauthentication, user = () => undefined }: CallDeps): CallAdmin {
  return async (request) => {
    for (;;) {
      const response = await send(request, fetch, user())
      if (response.ok && request.as === 'file') return { body: await readFile(response), etag: undefined }
      const body = await readBody(response)
      if (response.ok) return { body, etag: response.headers.get('etag') ?? undefined }
      const fault = faultOf(response.status, body)
      const need = missingAuthentication(fault)
      if (need === undefined || (await reauthentication.ask(need)) === 'cancelled') throw fault
      request.signal?.throwIfAborted()
    }
  }
}

/** The authentication that would change a refusal; `undefined` when none would. */
export function missingAuthentication({ status, error }: Pick<AdminFault, 'status' | 'error'>): MissingAuthentication | undefined {
  if (status === 401) return 'sign_in'
  if (status !== 403) return undefined
  if (error === 'prova recente necessaria') return 'recent_authentication'
  return error === 'segundo fator necessario' ? 'second_factor' : undefined
}

async function send(
  { path, method = 'GET', body, ifMatch, signal }: AdminRequest,
  fetch: typeof globalThis.fetch,
  user: string | undefined,
): Promise<Response> {
  const headers = {
    accept: 'application/json, text/csv',
    ...(user !== undefined && { 'portaria-user': user }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
  }
  try {
    return await fetch(`/api/admin/${path}`, {
      method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new AdminFault({ status: 0, error: '', fields: {} })
  }
}

/** A file that broke off is no file. */
async function readFile(response: Response) {
  try {
    const file: unknown = await response.blob()
    return file as never
  } catch {
    throw new AdminFault({ status: 0, error: '', fields: {} })
  }
}

async function readBody(response: Response) {
  try {
    return JSON.parse(await response.text())
  } catch {
    if (response.ok) throw new AdminFault({ status: 502, error: '', fields: {} })
    return undefined
  }
}

function faultOf(status: number, body: unknown): AdminFault {
  const given: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {}
  const { error, fields, reason } = given
  const byField = typeof fields === 'object' && fields !== null ? Object.entries(fields).map(([field, code]) => [field, String(code)]) : []
  return new AdminFault({
    status,
    error: typeof error === 'string' ? error : '',
    ...(typeof reason === 'string' && { reason }),
    fields: Object.fromEntries(byField),
  })
}

import type { CallerRefusal } from './caller.ts'

/** Every refusal of the admin API with its words on the wire. `what` is for the API description. */
export const refusals = {
  not_authenticated: { status: 401, error: 'nao autenticado', what: 'no live admin token, and no live session with its bound cookie' },
  foreign_origin: { status: 403, error: 'origem nao permitida', what: 'a session, and the request does not come from our own pages' },
  not_allowed: { status: 403, error: 'nao permitido', what: 'the role or the scopes do not reach so far' },
  authentication_too_old: {
    status: 403,
    error: 'prova recente necessaria',
    what: 'a dangerous action, and the last authentication is over ten minutes old',
  },
  second_factor_missing: {
    status: 403,
    error: 'segundo fator necessario',
    what: 'the account has a second factor or a passkey, and the session was begun without',
  },
  malformed: {
    status: 400,
    error: 'Payload invalido',
    what: 'no JSON object, an unknown field, or a value that can not be; `fields` says which',
  },
  bad_cursor: { status: 400, error: 'cursor invalido', what: 'a cursor that was altered, or is of another list or order' },
  not_found: { status: 404, error: 'nao encontrado', what: 'there is none with this id' },
  no_such_product: { status: 400, error: 'produto nao encontrado', what: 'there is no product with this slug' },
  version_missing: { status: 428, error: 'If-Match ausente', what: 'a change says which version it changes' },
  changed_meanwhile: {
    status: 412,
    error: 'alterado por outra pessoa',
    what: 'the record is no longer the version in If-Match, or its user has another role by now; nothing was changed',
  },
  conflict: { status: 409, error: 'conflito', what: 'the state of things stands against it; `reason` says which' },
  too_many: { status: 429, error: 'muitas tentativas', what: 'over the limit of calls' },
} as const satisfies Record<CallerRefusal | string, { status: number; error: string; what: string }>

export type AdminRefusal = keyof typeof refusals

/** A refusal with a hint for the caller. */
export interface Refused {
  refusal: AdminRefusal
  /** The error of each field as a word, as `too_long`. */
  fields?: Readonly<Record<string, string>>
  /** The state that prevents it, as `last_owner`. */
  reason?: string
  retryAfterSeconds?: number
}

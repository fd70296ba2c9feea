/**
 * Why the service refused, or that it could not be reached. `message` is a key of the dictionaries (`refusal.…`): react-admin shows its
 * translation.
 */
export class AdminFault extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** The service's own words, as `nao encontrado`; empty when it had none. */
  readonly error: string
  /** Of a conflict: the state that prevents the action, as `last_owner`. */
  readonly reason: string | undefined
  /** react-admin's messages beside the fields of a form: keys of the dictionaries (`field.…`) by field. */
  readonly body: { errors: Record<string, string> }

  constructor({ status, error, reason, fields }: { status: number; error: string; reason?: string; fields: Record<string, string> }) {
    super(`refusal.${keyOf(status, error)}`)
    this.name = 'AdminFault'
    this.status = status
    this.error = error
    this.reason = reason
    this.body = { errors: Object.fromEntries(Object.entries(fields).map(([field, code]) => [field, `field.${fieldKeyOf(code)}`])) }
  }
}

/** Keys of messages with particular advice. */
const keys = {
  'nao autenticado': 'not_signed_in',
  'origem nao permitida': 'foreign_origin',
  'nao permitido': 'not_allowed',
  'prova recente necessaria': 'recent_authentication',
  'segundo fator necessario': 'second_factor',
  'alterado por outra pessoa': 'stale',
  'cursor invalido': 'bad_cursor',
  'produto nao encontrado': 'no_such_product',
  'agindo em nome de outra pessoa': 'impersonation',
} as const satisfies Record<string, string>

const byStatus = {
  0: 'unreachable',
  400: 'invalid',
  401: 'not_signed_in',
  403: 'not_allowed',
  404: 'not_found',
  409: 'conflict',
  412: 'stale',
  413: 'too_large',
  429: 'too_many',
  503: 'away',
} as const satisfies Record<number, string>

const fieldKeys = [
  'required',
  'too_short',
  'too_long',
  'too_small',
  'too_big',
  'invalid_type',
  'invalid_value',
  'invalid_format',
  'unknown',
  'taken',
  'malformed',
  'missing',
  'needs_internal',
  'needs_integrated',
  'no_such_plan',
  'no_such_product',
  'no_such_user',
  'has_role',
  'operator_only',
  'too_little_contrast',
  'no_such_image',
  'not_square',
  'not_a_png',
  'needs_light_logo',
  'image_too_large',
  'image_empty',
  'not_an_image',
  'png_damaged',
  'png_size',
  'svg_damaged',
  'svg_element',
  'svg_handler',
  'svg_address',
  'svg_style',
  'svg_size',
  'svg_too_much',
] as const

export type RefusalKey = (typeof keys)[keyof typeof keys] | (typeof byStatus)[keyof typeof byStatus] | 'fault'
export type FieldKey = (typeof fieldKeys)[number] | 'invalid'

function keyOf(status: number, error: string): RefusalKey {
  const byError = Object.entries(keys).find(([known]) => known === error)?.[1]
  return byError ?? Object.entries(byStatus).find(([known]) => known === String(status))?.[1] ?? 'fault'
}

/** Refusals like `email_taken` also name the field. */
function fieldKeyOf(code: string): FieldKey {
  return fieldKeys.find((known) => code === known || code.endsWith(`_${known}`)) ?? 'invalid'
}

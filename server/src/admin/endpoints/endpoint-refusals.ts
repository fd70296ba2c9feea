import type { EndpointRefusal } from '../../event-delivery/index.ts'
import type { Refused } from '../api/refusals.ts'

export const refusedEndpoint = {
  url_malformed: { refusal: 'malformed', fields: { url: 'not_https' } },
  types_missing: { refusal: 'malformed', fields: { types: 'too_small' } },
  operator_only_type: { refusal: 'malformed', fields: { types: 'operator_only' } },
  description_malformed: { refusal: 'malformed', fields: { description: 'malformed' } },
  secret_malformed: { refusal: 'malformed', fields: { secret: 'not_whsec' } },
  no_such_product: { refusal: 'no_such_product' },
} as const satisfies Record<EndpointRefusal['refusal'], Refused>

export const refusedChange = {
  not_found: { refusal: 'not_found' },
  already_so: { refusal: 'conflict', reason: 'already_so' },
  changed_meanwhile: { refusal: 'changed_meanwhile' },
} as const satisfies Record<string, Refused>

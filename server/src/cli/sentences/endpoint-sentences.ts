import type { EndpointRefusal } from '../../event-delivery/index.ts'

const endpoints = {
  url_malformed: 'the address must be https://, without a name, a password or a fragment; in development http://localhost will do',
  types_missing: 'name at least one type of event',
  operator_only_type: "endpoint.disabled is for the operator's endpoints alone: an endpoint of a product can't choose it",
  description_malformed: 'the description must be one line of text, 200 characters at most',
  secret_malformed: 'the secret must be whsec_ and 24 to 64 bytes in base64 (Standard Webhooks)',
  no_such_product: 'there is no such product: find its slug with `portaria product list`',
  not_found: 'there is no such endpoint: find its id with `portaria endpoint list`',
  already_so: 'it is so already: see `portaria endpoint show ID`',
  changed_meanwhile: 'the endpoint was changed by someone else meanwhile: look at it again',
} as const satisfies Record<EndpointRefusal['refusal'] | 'not_found' | 'already_so' | 'changed_meanwhile', string>

export function endpointSentence(refusal: keyof typeof endpoints): string {
  return endpoints[refusal]
}

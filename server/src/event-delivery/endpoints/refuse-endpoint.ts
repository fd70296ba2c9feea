import type { EventType } from '../../app-events/index.ts'
import { isVisibleLine } from '../../kit/index.ts'
import { isEndpointSecret } from './endpoint-secret.ts'

export interface NewEndpoint {
  /** `undefined`: the operator's. */
  productSlug: string | undefined
  url: string
  types: readonly EventType[]
  description: string
  /** Its events are recorded, and nothing is sent until it is enabled. */
  isDisabled?: boolean
  /** The caller's own secret. Absent: one is minted. */
  secret?: string | undefined
}

export type EndpointRefusal = {
  refusal: 'url_malformed' | 'types_missing' | 'operator_only_type' | 'description_malformed' | 'secret_malformed' | 'no_such_product'
}

const MAX_DESCRIPTION = 200

/** The refusal of an endpoint for any field but its address; `undefined`: all are valid. */
export function refuseEndpoint({
  types,
  description,
  secret,
}: Pick<NewEndpoint, 'types' | 'description' | 'secret'>): EndpointRefusal | undefined {
  if (secret !== undefined && !isEndpointSecret(secret)) return { refusal: 'secret_malformed' }
  if (types.length === 0) return { refusal: 'types_missing' }
  if (description !== '' && !isVisibleLine(description, MAX_DESCRIPTION)) return { refusal: 'description_malformed' }
  return undefined
}

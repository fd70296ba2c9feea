import type { ChangeFeed } from '../changes/index.ts'
import type { Metrics, Responses, SecurityHeaders } from '../http/index.ts'
import type { Now } from '../kit/index.ts'
import type { ProductDirectory } from '../products/index.ts'
import type { Admission } from '../rate-limits/index.ts'
import type { Storage } from '../storage/index.ts'

export interface AccessRouteDeps {
  admission: Admission
  storage: Storage
  changes: ChangeFeed
  products: ProductDirectory
  responses: Responses
  headers: SecurityHeaders
  metrics: Metrics
  now: Now
}

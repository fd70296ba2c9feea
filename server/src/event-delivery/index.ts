// event-delivery: telling apps and the operator of events, as Standard Webhooks. Owns: making and changing endpoints, their secrets, the
// deliveries with each attempt. Does not own: what has happened (app-events, and the floors that record events).

export { eventMetrics } from './event-metrics.ts'
export {
  createEndpoint,
  disableEndpoint,
  type EndpointRefusal,
  enableEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
} from './manage-endpoints.ts'
export { DELIVERY_MS } from './send.ts'
export { createDeliveryWorker } from './worker.ts'

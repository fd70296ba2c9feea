// event-delivery: notifying apps and the operator of events, as Standard Webhooks. Owns: making and changing endpoints, their secrets, the
// deliveries with each attempt. Does not own: what has happened (app-events, and the floors that record events).

export { EVENT_CATALOGUE, eventBodySchema } from './catalogue/event-catalogue.ts'
export { applyEndpointChange, changeEndpoint } from './change-endpoint.ts'
export { disableWithEvent } from './disable-endpoint.ts'
export { isEndpointSecret, mintEndpointSecret, openSecrets, signDelivery } from './endpoint-secret.ts'
export { eventMetrics } from './event-metrics.ts'
export { readEndpointHealth } from './health-store.ts'
export {
  DELIVERY_STATES,
  eventLogStore,
  type ListedDelivery,
  type LoggedAttempt,
  type LoggedDelivery,
  type LoggedEvent,
} from './log/event-log-store.ts'
export { countMissed, replayOne, replayToEndpoint } from './log/replay.ts'
export {
  createEndpoint,
  disableEndpoint,
  type EndpointRefusal,
  enableEndpoint,
  insertEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  setEndpointSecret,
} from './manage-endpoints.ts'
export { disablesAt } from './retries.ts'
export { DELIVERY_MS, hasArrived } from './send.ts'
export { testEndpoint } from './test-endpoint.ts'
export { createDeliveryWorker } from './worker.ts'

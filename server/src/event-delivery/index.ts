// event-delivery: notifying apps and the operator of events, as Standard Webhooks. Owns: making and changing endpoints, their secrets, the
// deliveries with each attempt. Does not own: what has happened (app-events, and the floors that record events).

export { EVENT_CATALOGUE, eventBodySchema } from './catalogue/event-catalogue.ts'
export { createDeliveryWorker } from './deliveries/delivery-worker.ts'
export { disablesAt } from './deliveries/retries.ts'
export { DELIVERY_MS, hasArrived } from './deliveries/send.ts'
export { readEndpointHealth } from './endpoint-health-store.ts'
export { applyEndpointChange, changeEndpoint } from './endpoints/change-endpoint.ts'
export { createEndpoint, insertEndpoint } from './endpoints/create-endpoint.ts'
export { disableWithEvent } from './endpoints/disable-endpoint.ts'
export { isEndpointSecret, mintEndpointSecret, openSecrets, signDelivery } from './endpoints/endpoint-secret.ts'
export type { EndpointRefusal } from './endpoints/refuse-endpoint.ts'
export { removeEndpoint } from './endpoints/remove-endpoint.ts'
export { rotateEndpointSecret, setEndpointSecret } from './endpoints/rotate-endpoint-secret.ts'
export { disableEndpoint, enableEndpoint } from './endpoints/switch-endpoint.ts'
export { testEndpoint } from './endpoints/test-endpoint.ts'
export { eventMetrics } from './event-metrics.ts'
export {
  DELIVERY_STATES,
  eventLogStore,
  type ListedDelivery,
  type LoggedAttempt,
  type LoggedDelivery,
  type LoggedEvent,
} from './log/event-log-store.ts'
export { countMissed, replayOne, replayToEndpoint } from './log/replay.ts'

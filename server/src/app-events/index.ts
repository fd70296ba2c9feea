// app-events: the events that apps and the operator can be notified of, and who listens. Owns: the types of events, endpoints as they are
// stored, the event with its deliveries, written in the transaction that makes it true. Does not own: when something has changed (each
// floor records its own events), the delivery itself (event-delivery).

export { ENDPOINT_STATES, type Endpoint, endpointState, endpointVersion } from './endpoint.ts'
export { endpointStore, type SealedEndpoint, toEndpoint } from './endpoint-store.ts'
export { isLoopback, parseEndpointUrl } from './endpoint-url.ts'
export { forgetEventsBefore, isRecorded, listHearing, newestEventAt, recordEvent, recordEvents } from './event-store.ts'
export { EVENT_TYPES, type EventType, isOperatorOnly, needsAccess, needsUsers, PRODUCT_EVENT_TYPES } from './event-types.ts'
export { lookAndScan, lookAtSome } from './look-at-due.ts'
export { forgetUserInEvents } from './reported-users/forget-user.ts'
export { scrubEventsOf } from './reported-users/forget-user-store.ts'
export { hearsOfHandovers, markChangedUsers, markMetUser, markMetUsers, markSharing, OPERATOR } from './reported-users/mark-store.ts'
export { isAnyPreparing, isLookingAtUsers, makeReady } from './reported-users/ready-store.ts'
export { listUserScans, rescanUsers, scanUsers, startUserScan } from './reported-users/scan-store.ts'

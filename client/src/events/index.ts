// @portaria/client/events: what Portaria reports to an app about its users, received as Standard Webhooks. Nothing of Node.

export type { Access } from '../service/access.ts'
export type { EventReceiver } from '../settings.ts'
export { type AccessEvent, isNewer, type OtherEvent, type PortariaEvent, type UnknownEvent } from './event.ts'
export type { EventStore } from './event-store.ts'
export { type ReceiveOptions, receiveEvents } from './receive-events.ts'

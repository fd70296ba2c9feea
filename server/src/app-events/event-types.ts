/** The events that an endpoint can be told of. */
export const EVENT_TYPES = [
  'access.granted',
  'access.changed',
  'access.revoked',
  'subscription.created',
  'subscription.updated',
  'subscription.ended',
  'session.revoked',
  'purchase.unresolved',
  'endpoint.disabled',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

export function isEventType(text: string): text is EventType {
  return EVENT_TYPES.some((type) => type === text)
}

/** Whether an endpoint has to know the access of every user before changes of it can be told. */
export function needsAccess(types: readonly EventType[]): boolean {
  return types.some((type) => type.startsWith('access.'))
}

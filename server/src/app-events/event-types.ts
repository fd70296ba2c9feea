/** The events that an endpoint can hear of. */
export const EVENT_TYPES = [
  'access.granted',
  'access.changed',
  'access.revoked',
  'user.created',
  'user.updated',
  'user.deleted',
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

/** Whether only the operator's endpoints hear of it. */
export function isOperatorOnly(type: EventType): boolean {
  return type === 'endpoint.disabled'
}

/** The events that an endpoint of a product can choose. */
export const PRODUCT_EVENT_TYPES: readonly EventType[] = EVENT_TYPES.filter((type) => !isOperatorOnly(type))

/** Whether an endpoint has to know the access of every user before changes of it can be reported. */
export function needsAccess(types: readonly EventType[]): boolean {
  return types.some((type) => type.startsWith('access.'))
}

/** Whether an endpoint has to know every user before changes of one can be reported. */
export function needsUsers(types: readonly EventType[]): boolean {
  return types.some(isOfUser)
}

/** Each endpoint hears of a user only what it may see: a product's event is not the operator's. */
export function isOfUser(type: EventType): boolean {
  return type.startsWith('user.')
}

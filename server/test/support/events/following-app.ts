import type { ServerResponse } from 'node:http'
import { isNewer } from '../../../../client/src/events/event.ts'
import type { ServerIdentity } from '../faults/authority.ts'
import { type EventReceiver, type Received, startEventReceiver } from './event-receiver.ts'

/** How an app answers. `hangs`: not before it does something else. */
export const MOODS = ['well', 'fails', 'slow_down', 'gone', 'closes', 'hangs'] as const
export type Mood = (typeof MOODS)[number]

type State = Received['event']['data'] & { type: string }

export interface FollowingApp {
  receiver: EventReceiver
  is(mood: Mood): void
  /** The access that the app knows of a product and a user, without their ids. */
  access(productId: string, userId: string): Record<string, unknown> | undefined
  /** The user as the app knows them, with the type of the last event in `type`. */
  user(productId: string | null, userId: string): Record<string, unknown> | undefined
}

/** An app that keeps what events say of access and users, each if it is newer than what it knows, and only where it answers 200. */
export async function startFollowingApp(options: { identity?: ServerIdentity } = {}): Promise<FollowingApp> {
  const receiver = await startEventReceiver(options)
  const known = new Map<string, State>()
  const hanging = new Set<ServerResponse>()
  let mood: Mood = 'well'
  const take = ({ event: { type, data } }: Received) => {
    const key = keyOf(type, data.product_id, data.user_id)
    if (isNewer(data, known.get(key)?.sequence)) known.set(key, { ...data, type })
  }
  receiver.answers((received) => {
    if (mood === 'fails') return { status: 500 }
    if (mood === 'slow_down') return { status: 429, headers: { 'retry-after': '1' } }
    if (mood === 'gone') return { status: 410 }
    if (mood === 'closes') return (response) => void response.destroy()
    if (mood === 'hangs') return (response) => void hanging.add(response)
    take(received)
    return { status: 200 }
  })
  const find = (key: string) => {
    const found = known.get(key)
    if (!found) return undefined
    const { sequence, product_id, user_id, ...state } = found
    return state
  }
  return {
    receiver,
    is(now) {
      mood = now
      for (const response of hanging) response.destroy()
      hanging.clear()
    },
    access(productId, userId) {
      const { type, ...state } = find(keyOf('access.', productId, userId)) ?? { type: '' }
      return type === '' ? undefined : state
    },
    user: (productId, userId) => find(keyOf('user.', productId, userId)),
  }
}

function keyOf(type: string, productId: unknown, userId: string): string {
  return `${type.split('.')[0]} ${productId} ${userId}`
}

import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import { endSessionsOfClient } from '../../sessions/index.ts'
import type { Storage } from '../../storage/index.ts'
import { describedClientStore } from './described-client-store.ts'

interface Deps {
  storage: Storage
  changes: ChangeFeed
  now: Now
  actor: Actor
}

/**
 * Refuses a client that describes itself from now on, and ends its sessions; its tokens end with them, on every node within 2 s. Begun
 * again, it ends what an interrupted run has left.
 */
export async function refuseClient(id: string, deps: Deps): Promise<'done' | 'not_found'> {
  const { storage, now, actor } = deps
  const found = await describedClientStore(storage.db).find(id, now())
  if (!found) return 'not_found'
  await storage.transaction(async (tx) => {
    const changed = await describedClientStore(tx).refuse(id, now())
    if (changed !== undefined) await recordAudit(tx, { actor, action: 'client.refuse', target: changed }, now())
  })
  await endSessionsOfClient(found.clientId, deps)
  return 'done'
}

/** Takes a client again. Its users are asked again. */
export async function allowClient(id: string, { storage, now, actor }: Deps): Promise<'done' | 'not_found'> {
  if (!(await describedClientStore(storage.db).find(id, now()))) return 'not_found'
  await storage.transaction(async (tx) => {
    const changed = await describedClientStore(tx).allow(id)
    if (changed !== undefined) await recordAudit(tx, { actor, action: 'client.allow', target: changed }, now())
  })
  return 'done'
}

/** Ends every session of a client, which may ask its users again. */
export async function revokeClient(id: string, deps: Deps): Promise<'done' | 'not_found'> {
  const { storage, now, actor } = deps
  const found = await describedClientStore(storage.db).find(id, now())
  if (!found) return 'not_found'
  const ended = await endSessionsOfClient(found.clientId, deps)
  await recordAudit(storage.db, { actor, action: 'client.revoke', target: found.clientId, after: { sessions: ended } }, now())
  return 'done'
}

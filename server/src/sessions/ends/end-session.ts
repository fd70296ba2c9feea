import type { Transaction } from '../../storage/index.ts'
import type { EndDeps, EndReason } from './end-reason.ts'
import { sessionEndStore } from './end-store.ts'
import { recordEnded } from './record-ended.ts'

/** Ends one session and its product sessions; every node refuses them within 2 s. Answers whether any was live. */
export async function endSession(tx: Transaction, id: string, reason: EndReason, deps: EndDeps): Promise<boolean> {
  const ended = await sessionEndStore(tx).end(id, reason, deps.now())
  for (const { id: subject } of ended) deps.announce({ kind: 'session_ended', subject })
  await recordEnded(tx, ended, reason, deps)
  return ended.length > 0
}

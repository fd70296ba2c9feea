import { readFileSync } from 'node:fs'
import { recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import { type Now, sha256Hex } from '../../kit/index.ts'
import { betaUserStore } from './beta-user-store.ts'

/** The agreement that beta users accept. Its text is Portuguese on pages of every language: one text binds. */
export interface Nda {
  version: string
  text: string
  textHash: string
}

const text = readFileSync(new URL('./nda.txt', import.meta.url), 'utf8')

/** A new text needs a new version. */
export const currentNda: Nda = { version: '2026-11', text, textHash: sha256Hex(text) }

/** Records that a beta user accepted the current NDA, with the request's details; a second acceptance changes nothing. */
export async function acceptNda(
  userId: string,
  { ip, userAgent }: { ip: string; userAgent: string },
  { changes, now }: { changes: ChangeFeed; now: Now },
): Promise<void> {
  const at = now()
  const { version, textHash } = currentNda
  await changes.transaction(async (tx, announce) => {
    if (!(await betaUserStore(tx).acceptNda(userId, { at, ip, userAgent, version, textHash }))) return
    await recordAudit(tx, { actor: `user:${userId}`, action: 'user.accept_nda', target: userId, after: { version, textHash }, ip }, at)
    announce({ kind: 'user_changed', subject: userId })
  })
}

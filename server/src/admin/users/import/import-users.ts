import { recordAudit } from '../../../audit/index.ts'
import { newId, normaliseEmail } from '../../../kit/index.ts'
import { inPortions } from '../../../storage/index.ts'
import type { ImportRecord } from './files/import-record.ts'
import { readImportedUser } from './imported-user.ts'
import { createJudge, type LineResult, type Read } from './judge-line.ts'
import { type Resolve, readReferences } from './references.ts'
import { type ImportDeps, writePortion } from './write-portion.ts'

export interface ImportCounts {
  added: number
  known: number
  refused: number
}

/** The service's own writes wait so long for a portion, on SQLite. Then they have as much time for themselves. */
const PORTION_MS = 40

/**
 * Imports users, a portion of records in a transaction. A line whose address or external id has an account changes nothing, so an
 * interrupted import is run again with the same file. `dry_run` writes nothing, and says what an import would do.
 */
export async function importUsers(
  records: AsyncIterator<ImportRecord>,
  { mode, identities }: { mode: 'write' | 'dry_run'; identities: 'import' | 'leave_out' },
  deps: ImportDeps,
): Promise<ImportCounts> {
  const counts: ImportCounts = { added: 0, known: 0, refused: 0 }
  const importId = newId()
  const record = (after: Record<string, unknown>) =>
    recordAudit(deps.storage.db, { actor: deps.actor, action: 'user.import', target: importId, after }, deps.now())
  const judge = mode === 'dry_run' ? rehearse(deps) : (portion: Read[]) => writePortion(portion, deps)
  const resolve = await readReferences(deps.storage.db, { identities })
  // First, so that an import that is killed leaves its entry too.
  if (mode === 'write') await record({ state: 'begun' })
  const importPortion = async (size: number) => {
    const read = await take(records, size, { resolve, now: deps.now() })
    for (const result of await judge(read)) {
      counts[result.outcome]++
      deps.onLine(result)
    }
    return read.length
  }
  await inPortions(importPortion, { portionMs: PORTION_MS })
  if (mode === 'write') await record({ state: 'done', ...counts })
  return counts
}

async function take(
  records: AsyncIterator<ImportRecord>,
  size: number,
  { resolve, now }: { resolve: Resolve; now: number },
): Promise<Read[]> {
  const read: Read[] = []
  while (read.length < size) {
    const { done, value } = await records.next()
    if (done) break
    const imported = await readImportedUser(value, now)
    const user = 'refused' in imported ? imported : resolve(imported)
    read.push('refused' in user ? { line: value.line, refused: user.refused, email: addressIn(value) } : { line: value.line, user })
  }
  return read
}

/** The address of a line that is refused: the operator knows users by it. */
function addressIn(record: ImportRecord): string | undefined {
  const email = 'value' in record ? (record.value as { email?: unknown } | null)?.email : record.email
  return typeof email === 'string' ? normaliseEmail(email) : undefined
}

function rehearse({ storage, taxIdKey, now }: ImportDeps): (portion: Read[]) => Promise<LineResult[]> {
  const judge = createJudge(taxIdKey)
  return (portion) => judge(portion, { db: storage.db, at: now() })
}

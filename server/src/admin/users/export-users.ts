import { type Actor, recordAudit } from '../../audit/index.ts'
import { isoTime, type Now, newId, type Sealer } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import { exportedUserStore, openTaxId, openTotpSecret } from '../../users/index.ts'

const PAGE = 200

/** The secret and personal parts that an export has only where they are asked for. */
export interface ExportScope {
  /** Password hashes and secrets of second factors. */
  hashes: boolean
  /** CPF and CNPJ in full. */
  taxIds: boolean
}

export interface ExportCounts {
  exported: number
  /** A file can't say that an account is closed: it would be open in the other place. */
  disabled: number
}

export interface ExportDeps {
  storage: Storage
  sealer: Sealer
  now: Now
  actor: Actor
  /** Called with each line, in the form that the import reads; the next one waits for it. */
  onLine: (line: string) => Promise<void>
}

type Exported = Awaited<ReturnType<ReturnType<typeof exportedUserStore>['listPage']>>[number]

/** Writes all users but disabled ones, a page at a time: memory holds one page. The audit log has its beginning and its end. */
export async function exportUsers(scope: ExportScope, deps: ExportDeps): Promise<ExportCounts> {
  const { storage, now, actor, onLine } = deps
  const exportId = newId()
  const record = (after: Record<string, unknown>) =>
    recordAudit(storage.db, { actor, action: 'user.export_all', target: exportId, after: { ...after, ...scope } }, now())
  const counts: ExportCounts = { exported: 0, disabled: 0 }
  await record({ state: 'begun' })
  for (let cursor: string | undefined; ; ) {
    const page = await exportedUserStore(storage.db).listPage({ limit: PAGE, cursor })
    for (const rows of page) {
      if (rows.user.disabledAt !== undefined) counts.disabled++
      else {
        await onLine(`${JSON.stringify(recordOf(rows, scope, deps))}\n`)
        counts.exported++
      }
    }
    cursor = page.at(-1)?.user.id
    if (page.length < PAGE) break
  }
  await record({ state: 'done', ...counts })
  return counts
}

/** A record as `admin/users/import` reads it. A field that a user lacks is left out. */
function recordOf({ user, identities, totpSealed, taxIdSealed }: Exported, scope: ExportScope, { sealer }: ExportDeps) {
  const { id, passwordHash } = user
  const taxId = scope.taxIds && taxIdSealed !== undefined ? openTaxId({ id, sealed: taxIdSealed }, sealer) : undefined
  const totp = scope.hashes && totpSealed !== undefined ? openTotpSecret({ id, sealed: totpSealed }, sealer) : undefined
  return {
    email: user.email,
    external_id: user.externalId ?? id,
    email_verified: user.emailVerifiedAt !== undefined,
    name: user.name,
    ...(user.phone !== undefined && { phone: user.phone }),
    ...(taxId !== undefined && taxId !== 'unreadable' && 'digits' in taxId && { tax_id: taxId.digits }),
    ...(user.language !== undefined && { language: user.language }),
    ...(scope.hashes && passwordHash !== undefined && { password_hash: passwordHash }),
    ...(totp !== undefined && { totp_secret: totp }),
    ...(identities.length > 0 && { identities: identities.map(({ issuer, subject }) => ({ provider: issuer, subject })) }),
    created_at: isoTime(user.createdAt),
  }
}

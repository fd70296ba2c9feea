import type { Copied } from '../../admin/index.ts'
import { type DatabaseAddress, describeAddress } from '../../storage/index.ts'
import { paragraphs, table, visible } from '../command/layout.ts'
import type { Outcome } from '../command/output.ts'

export function copyOutcome({ id, tables, leftOut }: Copied, { from, to }: { from: DatabaseAddress; to: DatabaseAddress }): Outcome {
  const rows = tables.reduce((sum, one) => sum + one.source.rows, 0)
  const compared = tables.map(({ table: name, source }) => ({ table: name, rows: source.rows, digest: source.digest }))
  const listed = compared.filter((one) => one.rows > 0).map((one) => [one.table, String(one.rows), one.digest.slice(0, 16)])
  return {
    json: { id, from: describeAddress(from), to: describeAddress(to), rows, tables: compared, left_out: leftOut },
    text: paragraphs(
      table(['table', 'rows', 'digest'], listed),
      `Copied and compared: ${rows} rows of ${tables.length} tables.`,
      leftOut.length > 0 ? `Not copied, as Portaria does not know them: ${visible(leftOut.join(', '))}.` : undefined,
      `Start the service with DATABASE_URL at ${describeAddress(to)} and the same master key${to.dialect === 'postgres' ? ' in PORTARIA_MASTER_KEY' : ''}. The database before it stays read only; to go on with it instead: portaria copy --from ${describeAddress(from)} --give-up`,
    ),
  }
}

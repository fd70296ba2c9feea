import type { Command } from 'commander'
import { auditJson } from '../admin/index.ts'
import { type AuditRecord, listAudit } from '../audit/index.ts'
import { addList, type CliContext, type CommandContext, moreHint, type PageOptions, pageOf, withContext } from './command/cli-context.ts'
import { type Outcome, paragraphs, table } from './command/output.ts'
import { shortText } from './command/text-width.ts'

interface Options extends PageOptions {
  action?: string
  target?: string
}

/** `portaria audit …`: who did what to what. */
export function auditCommands(program: Command, cli: CliContext): void {
  const audit = program.command('audit').description('who did what to what, and when')
  addList(audit, { summary: 'list what was done, newest first', example: 'audit list --action user.disable --limit 20' })
    .option('--action <action>', 'only this action, as in product.create')
    .option('--target <id>', 'only actions on this user, product or key')
    .action((options: Options) =>
      cli.print(
        options,
        withContext(cli, (context) => list(options, context)),
      ),
    )
}

async function list({ action, target, ...options }: Options, { storage, localTime }: CommandContext): Promise<Outcome> {
  const filter = { ...(action !== undefined && { action }), ...(target !== undefined && { target }) }
  const records = await listAudit(storage.db, { ...pageOf(options), ...filter })
  const rows = records.map((record) => [localTime(record.at), record.actor, record.action, record.target, detailOf(record)])
  const text = rows.length === 0 ? 'Nothing recorded.' : table(['at', 'actor', 'action', 'target', 'detail'], rows)
  return {
    json: records.map(auditJson),
    text: paragraphs(
      text,
      moreHint(
        records.map(({ id }) => id),
        options,
      ),
    ),
  }
}

const MAX_DETAIL = 100

function detailOf({ before, after, reason, ip }: AuditRecord): string {
  const parts = [
    reason && `reason: ${reason}`,
    ip && `from ${ip}`,
    before && `before ${JSON.stringify(before)}`,
    after && `after ${JSON.stringify(after)}`,
  ]
  const detail = parts.filter((part) => part !== undefined && part !== '').join('; ')
  return shortText(detail, MAX_DETAIL)
}

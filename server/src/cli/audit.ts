import type { Command } from 'commander'
import { auditJson } from '../admin/index.ts'
import { type AuditRecord, listAudit } from '../audit/index.ts'
import type { CliContext } from './command/cli-context.ts'
import type { CommandContext } from './command/open-context.ts'
import type { Outcome } from './command/output.ts'
import { addList, listed, type PageOptions, pageOf } from './command/paging.ts'
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
    .action((options: Options) => cli.onDatabase(options, (context) => list(options, context)))
}

async function list({ action, target, ...options }: Options, { storage, localTime }: CommandContext): Promise<Outcome> {
  const filter = { ...(action !== undefined && { action }), ...(target !== undefined && { target }) }
  const records = await listAudit(storage.db, { ...pageOf(options), ...filter })
  return listed(records, options, {
    nothing: 'Nothing recorded.',
    headings: ['at', 'actor', 'action', 'target', 'detail'],
    row: (record) => [localTime(record.at), record.actor, record.action, record.target, detailOf(record)],
    json: auditJson,
  })
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

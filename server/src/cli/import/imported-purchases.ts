import { type ImportedPurchases, readNames, subscriptionJson } from '../../admin/index.ts'
import { paragraphs, table, visible } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { accessOf } from '../subscription/subscription-view.ts'
import type { Past } from './past-events.ts'

const MAX_SHOWN = 50

export async function importedOutcome(
  { applied, known, tests, pending, subscriptions }: ImportedPurchases,
  { source, refused }: Pick<Past, 'source' | 'refused'>,
  { dryRun, json }: { dryRun?: boolean; json?: boolean },
  context: CommandContext,
): Promise<Outcome> {
  const [names, now] = [await readNames(context), context.now()]
  const counts = { applied, known, tests, pending: pending.length, refused: refused.length }
  const access = json ? subscriptions.map((one) => subscriptionJson(one, names, now)) : []
  const rows = subscriptions.slice(0, MAX_SHOWN).map((one) => {
    const plan = names.plans.get(one.planId ?? '') ?? ''
    const product = names.products.get(one.productId ?? '') ?? ''
    return [
      one.email ?? '',
      one.userId === undefined ? 'none yet' : 'yes',
      product,
      plan,
      accessOf(one, now),
      context.localTime(one.periodEnd) ?? '',
    ]
  })
  const faults = [...refused.map(({ line, why }) => `line ${line}: refused: ${why}`), ...pending.map(pendingText)]
  const would = dryRun ? 'Would be applied' : 'Applied'
  const withAccess = access.length === 0 ? subscriptions.filter((one) => subscriptionJson(one, names, now).active).length : 0
  const sum = `${would}: ${applied}. Known already: ${known}. Pending: ${pending.length}. Refused: ${refused.length}.${tests > 0 ? ` Of a sandbox, and without effect: ${tests}.` : ''}`
  return {
    json: { dry_run: dryRun === true, source, ...counts, access, lines: [...refused, ...pending] },
    text: paragraphs(
      faults.slice(0, MAX_SHOWN).map(visible).join('\n'),
      more(faults.length),
      rows.length > 0 ? table(['buyer', 'account', 'product', 'plan', 'access', 'paid until'], rows) : undefined,
      more(subscriptions.length),
      subscriptions.length > 0 ? `${withAccess} of ${subscriptions.length} purchases give access now.` : undefined,
      sum,
    ),
    failed: refused.length > 0 || pending.length > 0,
  }
}

function pendingText({ line, why }: { line: number; why: string }): string {
  return `line ${line}: pending: ${why}`
}

function more(count: number): string | undefined {
  return count > MAX_SHOWN ? `… and ${count - MAX_SHOWN} more: see them with --json` : undefined
}

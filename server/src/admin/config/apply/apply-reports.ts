import { applyZone } from '../../../reports/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import { ownDifferences, type Step } from './step.ts'

/** Sets the time zone of the operator's days where it differs. */
export async function applyReports(tx: Transaction, step: Step): Promise<void> {
  const zone = step.declared.reports?.time_zone
  if (zone !== undefined && ownDifferences(step, 'reports').has('time_zone')) await applyZone(tx, zone, step.deps)
}

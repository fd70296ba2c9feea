import { recordAudit } from '../../../audit/index.ts'
import { rollBackRefusals, type Transaction, takeLock, writeSetting } from '../../../storage/index.ts'
import { readCurrent } from '../current.ts'
import { type ConfigurationFault, examine } from '../examine.ts'
import { canonical } from '../form/canonical.ts'
import { compare } from '../form/compare.ts'
import { type Configuration, USUAL_MANAGER } from '../form/configuration.ts'
import { listDeclared } from '../listed.ts'
import { type Mark, markStore } from '../mark-store.ts'
import { planChanges } from '../plan-changes.ts'
import type { Applied, ApplyOptions, ConfigurationFile } from './applied.ts'
import { applyAppearances } from './apply-appearances.ts'
import { applyEndpoints, type StoppedEndpoint, stopEndpoints } from './apply-endpoints.ts'
import { applyPlans } from './apply-plans.ts'
import { addProducts, changeProducts, freeAddresses, lockGrace } from './apply-products.ts'
import { applyProviders, removeProviders } from './apply-providers.ts'
import { applyReports } from './apply-reports.ts'
import { removeStopped } from './remove-stopped.ts'
import type { ApplyDeps, Step } from './step.ts'

/** The name of the setting that remembers what was applied last. */
export const APPLIED = 'configuration:'

type Faults = { refusal: 'faults'; faults: ConfigurationFault[] }

/**
 * Makes the settings what a file says, in one transaction: all of it or nothing. What the file does not name stays as it is. Of two that
 * are applied at once the second begins when the first is done.
 */
export async function applyConfiguration(
  { configuration, secrets, images }: ConfigurationFile,
  { prunes, takesOver }: ApplyOptions,
  { changes, now, onFault, ...deps }: ApplyDeps,
): Promise<Applied | Faults> {
  const declared = canonical(configuration)
  const manager = declared.managed_by ?? USUAL_MANAGER
  const { storage, sealer, gateways, actor } = deps
  const applied = await rollBackRefusals<Omit<Applied, 'unremoved'> & { stopped: StoppedEndpoint[] }, Faults>((refuse) =>
    changes.transaction(async (tx, announce) => {
      const at = now()
      await takeLock(tx, 'configuration', storage)
      const current = await readCurrent(tx, declared)
      const faults = examine(declared, current, { gateways, takesOver, secrets, images })
      if (faults.length > 0) refuse({ refusal: 'faults', faults })
      const { differences, unlisted } = await planChanges(tx, { declared, current, secrets, prunes }, sealer)
      const fail = (fault: ConfigurationFault) => refuse({ refusal: 'faults', faults: [fault] })
      const made = await applyAll(tx, { declared, secrets, images, current, differences, deps: { ...deps, announce, at }, fail })
      await finish(tx, declared)
      await writeSetting(tx, APPLIED + manager, JSON.stringify(declared))
      const counts = { changes: differences.length, removed: differences.filter(({ kind }) => kind === 'remove').length }
      if (differences.length > 0) await recordAudit(tx, { actor, action: 'configuration.apply', target: manager, after: counts }, at)
      return { differences, unlisted, ...made }
    }),
  )
  if ('refusal' in applied) return applied
  const { stopped, ...rest } = applied
  return { ...rest, unremoved: await removeStopped(stopped, { storage, now, actor, onFault }) }
}

/** In this order: what goes makes room, and a plan is there before the rule that names it. */
async function applyAll(tx: Transaction, step: Step): Promise<Pick<Applied, 'products' | 'endpoints'> & { stopped: StoppedEndpoint[] }> {
  await lockGrace(tx, step)
  await removeProviders(tx, step)
  const stopped = await stopEndpoints(tx, step)
  await freeAddresses(tx, step)
  const products = await addProducts(tx, step)
  await applyPlans(tx, step)
  await changeProducts(tx, step)
  await applyProviders(tx, step)
  await applyAppearances(tx, step)
  await applyReports(tx, step)
  return { products, endpoints: await applyEndpoints(tx, step), stopped }
}

/** Looks whether all is as the file says, and marks what it declares. What is gone has no mark. */
async function finish(tx: Transaction, declared: Configuration): Promise<void> {
  const after = await readCurrent(tx, declared)
  const left = compare(declared, after.configuration)
  if (left.length > 0)
    throw new Error(`these settings did not become what the file says: ${left.map(({ path }) => path.join('.')).join(', ')}`)
  const manager = declared.managed_by ?? USUAL_MANAGER
  const isThere = (mark: Mark) => [...after.objects.values()].some(({ kind, id }) => kind === mark.kind && id === mark.objectId)
  for (const mark of await markStore(tx).list()) if (!isThere(mark)) await markStore(tx).remove(mark.kind, mark.objectId)
  for (const { path, is } of listDeclared(declared, after)) {
    if (!is) throw new Error(`${path} was applied and is not there`)
    if (is.managedBy !== manager) await markStore(tx).put({ kind: is.kind, objectId: is.id, managedBy: manager, name: is.name })
  }
}

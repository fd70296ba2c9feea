import { readCurrent } from '../current.ts'
import { type ConfigurationFault, examine } from '../examine.ts'
import { canonical } from '../form/canonical.ts'
import { planChanges } from '../plan-changes.ts'
import type { ApplyOptions, ConfigurationFile, Differing } from './applied.ts'
import type { ApplyDeps } from './step.ts'

/** The changes that `applyConfiguration` would make, and the faults that it would refuse. Nothing is written. */
export async function diffConfiguration(
  { configuration, secrets, images }: ConfigurationFile,
  { prunes, takesOver }: ApplyOptions,
  { storage, sealer, gateways }: Pick<ApplyDeps, 'storage' | 'sealer' | 'gateways'>,
): Promise<Differing & { faults: ConfigurationFault[] }> {
  const declared = canonical(configuration)
  return storage.transaction(async (tx) => {
    const current = await readCurrent(tx, declared)
    const plan = await planChanges(tx, { declared, current, secrets, prunes }, sealer)
    return { ...plan, faults: examine(declared, current, { gateways, takesOver, secrets, images }) }
  })
}

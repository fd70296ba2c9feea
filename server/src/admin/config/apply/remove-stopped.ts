import { removeEndpoint } from '../../../event-delivery/index.ts'
import type { StoppedEndpoint } from './apply-endpoints.ts'
import type { ApplyDeps } from './step.ts'

/**
 * Removes endpoints in portions, since a million deliveries may wait. A fault here must not hide what was applied: keys and secrets are
 * shown once. Answers the paths of those that are still there.
 */
export async function removeStopped(
  stopped: readonly StoppedEndpoint[],
  { onFault, ...deps }: Pick<ApplyDeps, 'storage' | 'now' | 'actor' | 'onFault'>,
): Promise<string[]> {
  const unremoved: string[] = []
  for (const { path, id } of stopped) {
    try {
      await removeEndpoint(id, deps)
    } catch (fault) {
      onFault(fault)
      unremoved.push(path)
    }
  }
  return unremoved
}

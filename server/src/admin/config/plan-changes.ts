import { endpointStore } from '../../app-events/index.ts'
import { openSecrets } from '../../event-delivery/index.ts'
import { providerStore } from '../../identity-providers/index.ts'
import { constantTimeEqual, type Sealer } from '../../kit/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Current } from './current.ts'
import { secretFields } from './examine.ts'
import { compare, type Difference } from './form/compare.ts'
import { type Configuration, type Secrets, USUAL_MANAGER } from './form/configuration.ts'
import { listDeclared } from './listed.ts'
import type { Managed } from './managed-objects.ts'

export interface ChangePlan {
  /** The changes to make, removals first. */
  differences: Difference[]
  /** The paths of objects that the file's manager declared before and the file no longer names: `prune` removes them. */
  unlisted: string[]
}

/** Kinds that can be removed. Products and plans stay, since purchases rest on them. */
const REMOVABLE: ReadonlyArray<Managed['kind']> = ['identity_provider', 'endpoint']

/** The changes that would make everything as the file says. Both sides are in the canonical form. */
export async function planChanges(
  db: Queryable,
  { declared, current, secrets, prunes }: { declared: Configuration; current: Current; secrets: Secrets; prunes: boolean },
  sealer: Sealer,
): Promise<ChangePlan> {
  const named = new Set(listDeclared(declared, current).map(({ path }) => path))
  const manager = declared.managed_by ?? USUAL_MANAGER
  const left = [...current.objects].filter(([path, { managedBy }]) => managedBy === manager && !named.has(path))
  const removed = prunes ? left.filter(([, { kind }]) => REMOVABLE.includes(kind)) : []
  const differences = [
    ...removed.map(([path]): Difference => ({ path: path.split('.'), kind: 'remove' })),
    ...compare(declared, current.configuration),
    ...(await compareSecrets(db, { declared, current, secrets }, sealer)),
  ]
  return { differences, unlisted: left.filter((one) => !removed.includes(one)).map(([path]) => path) }
}

/** The changed secrets of objects that exist already. They are shown as changed and nothing more. */
async function compareSecrets(
  db: Queryable,
  { declared, current, secrets }: { declared: Configuration; current: Current; secrets: Secrets },
  sealer: Sealer,
): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const { path, settings, is } of listDeclared(declared, current)) {
    for (const field of is ? secretFields(settings) : []) {
      const wanted = secrets.get(`${path}.${field}`)
      const has = is && (await readSecret(db, is, sealer))
      if (wanted !== undefined && !(has !== undefined && constantTimeEqual(wanted, has)))
        differences.push({ path: [...path.split('.'), field], kind: 'change' })
    }
  }
  return differences
}

async function readSecret(db: Queryable, { kind, id }: Managed, sealer: Sealer): Promise<string | undefined> {
  if (kind === 'identity_provider') return providerStore(db).findSecret(id, sealer)
  const endpoint = await endpointStore(db).findById(id)
  // Without the previous secret, which signs for a day only.
  return endpoint && openSecrets({ ...endpoint, previousSealed: undefined }, { sealer, at: 0 })[0]
}

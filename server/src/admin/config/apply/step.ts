import type { BrandImage } from '../../../appearance/index.ts'
import type { Actor } from '../../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../../changes/index.ts'
import type { ForwardAuthPlace } from '../../../forward-auth/index.ts'
import type { Now, Sealer } from '../../../kit/index.ts'
import type { Gateway } from '../../../products/index.ts'
import type { Storage } from '../../../storage/index.ts'
import type { Current } from '../current.ts'
import type { ConfigurationFault } from '../examine.ts'
import type { Difference } from '../form/compare.ts'
import type { Configuration, Secrets } from '../form/configuration.ts'
import { type Declared, listDeclared } from '../listed.ts'

export interface ApplyDeps extends ForwardAuthPlace {
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  gateways: readonly Gateway[]
  isDevelopment: boolean
  now: Now
  actor: Actor
  /** Called with a fault after which all is applied nevertheless. */
  onFault: (fault: unknown) => void
}

/** The input of each step of an application. */
export interface Step {
  declared: Configuration
  secrets: Secrets
  /** The images beside the file, by their hashes. */
  images: ReadonlyMap<string, BrandImage>
  current: Current
  differences: readonly Difference[]
  deps: Omit<ApplyDeps, 'changes' | 'now' | 'onFault'> & { announce: Announce; at: number }
  /** Ends all of it; nothing is changed then. */
  fail: (fault: ConfigurationFault) => never
}

/** The fields of one declared thing that differ, without those of what stands below it. */
export function ownDifferences({ differences }: Pick<Step, 'differences'>, path: string): Set<string> {
  const depth = path.split('.').length
  return new Set(differences.filter((one) => one.path.slice(0, depth).join('.') === path).map((one) => one.path[depth] ?? ''))
}

/** The declared things of one kind that are new or differ. */
export function listToApply(step: Step, kind: Declared['kind']): Declared[] {
  const declared = listDeclared(step.declared, step.current).filter((one) => one.kind === kind)
  return declared.filter(({ path, is }) => !is || ownDifferences(step, path).size > 0)
}

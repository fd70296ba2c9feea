import { availableParallelism } from 'node:os'
import { markAccess } from './access/index.ts'
import { markChangedUsers } from './app-events/index.ts'
import { type ChangeFeed, createChangeFeed } from './changes/index.ts'
import type { Config } from './config.ts'
import { PROVIDER_TIMEOUT_SECONDS } from './identity-providers/index.ts'
import { type Clock, createClock, createSealer, deriveKeys, fixedClock, type MasterKeys, type Now, type Sealer } from './kit/index.ts'
import { type Gateway, gatewaysWith } from './products/index.ts'
import {
  compareClocks,
  findProgress,
  markMasterKey,
  migrate,
  type NeedsNewer,
  openStorage,
  type Storage,
  type Timeline,
} from './storage/index.ts'
import { createPasswordHasher, type PasswordHasher } from './users/index.ts'

/** All that use cases need, opened once for a process: the service, or one command of the CLI. */
export interface AppContext {
  config: Config
  storage: Storage
  changes: ChangeFeed
  sealer: Sealer
  masterKeys: MasterKeys
  passwords: PasswordHasher
  /** The gateways that this installation supports. */
  gateways: readonly Gateway[]
  /** The timeout of an identity provider's answer. */
  timeoutSeconds: number
  /** The time that every decision goes by; `clock` says how it is made. */
  now: Now
  clock: Clock
  onFault: (error: unknown) => void
  close(): Promise<void>
}

/** Processes of one host share its cores. */
function coresOf({ processes }: Config): number {
  return Math.max(1, Math.floor(availableParallelism() / processes))
}

export type AppContextRefusal = { refusal: 'wrong_master_key' } | { refusal: 'copy_unfinished' } | NeedsNewer

export interface Opening {
  /** Used instead of the machine's clock as corrected to the database's. */
  now?: Now
  onFault: (error: unknown) => void
  /** Called when the machine's clock differs from the database's, and when it no longer does. */
  onClock?: (clock: Clock) => void
  report?: (line: string) => void
  timeline?: Timeline
}

/**
 * Opens the database and the keys. Migrations run first; `report` is called when they take long. `timeline`: the database was written by
 * another version.
 */
export async function openContext(
  config: Config & { masterKey: Buffer },
  { now, onFault, onClock, report, timeline }: Opening,
): Promise<AppContext | AppContextRefusal> {
  const storage = await openStorage(config.database, timeline)
  const clock = now ? fixedClock(now) : createClock({ onState: onClock })
  const masterKeys = deriveKeys(config.masterKey)
  const previous = config.previousMasterKey && deriveKeys(config.previousMasterKey).sealing
  const sealer = createSealer(previous ? [masterKeys.sealing, previous] : [masterKeys.sealing])
  try {
    await compareClocks(clock, storage)
    const migrated = await migrate(storage, { ...(report && { report }) })
    const refused = 'refusal' in migrated ? migrated : await refuseDatabase(storage, sealer)
    if (refused) {
      await storage.close()
      return refused
    }
  } catch (error) {
    await storage.close()
    throw error
  }
  const changes = createChangeFeed({
    storage,
    clock,
    onFault,
    beforeCommit: async (tx, announced) => {
      await markAccess(tx, announced, { at: clock.now(), ...storage })
      const users = announced.flatMap(({ kind, subject }) => (kind === 'user_changed' ? [subject] : []))
      await markChangedUsers(tx, users)
    },
  })
  const gateways = gatewaysWith(config.experiments)
  const opened = { config, gateways, storage, changes, sealer, masterKeys, clock, now: clock.now, onFault, close: () => storage.close() }
  return { ...opened, passwords: createPasswordHasher({ cores: coresOf(config) }), timeoutSeconds: PROVIDER_TIMEOUT_SECONDS }
}

/** A database that a copy has filled in part is never used: what is missing in it would seem deleted. */
async function refuseDatabase({ db }: Storage, sealer: Sealer): Promise<AppContextRefusal | undefined> {
  if (await findProgress(db)) return { refusal: 'copy_unfinished' }
  return (await markMasterKey(db, sealer)) === 'wrong_key' ? { refusal: 'wrong_master_key' } : undefined
}

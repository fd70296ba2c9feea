import { readSetting, type Storage } from '../../storage/index.ts'
import { APPLIED } from './apply/apply.ts'
import { readCurrent } from './current.ts'
import { compare } from './form/compare.ts'
import { configurationSchema } from './form/configuration.ts'
import { markStore } from './mark-store.ts'

/** The settings that have changed since a manager applied its file. Secrets are not compared: the remembered file has none. */
export interface Drift {
  managedBy: string
  /** The settings that are no longer as they were applied, as in `plans.club.price`. */
  paths: string[]
}

/** The drift of each manager that has applied a file here. */
export async function readDrift({ db }: Pick<Storage, 'db'>): Promise<Drift[]> {
  const managers = new Set((await markStore(db).list()).map(({ managedBy }) => managedBy))
  const drifts: Drift[] = []
  for (const managedBy of [...managers].toSorted()) {
    const applied = configurationSchema.safeParse(JSON.parse((await readSetting(db, APPLIED + managedBy)) ?? 'null'))
    if (!applied.success) continue // by another version, whose form is not known
    const { configuration } = await readCurrent(db, applied.data)
    drifts.push({ managedBy, paths: compare(applied.data, configuration).map(({ path }) => path.join('.')) })
  }
  return drifts
}

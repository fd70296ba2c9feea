import { readDrift } from '../../admin/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { Check } from './doctor-check.ts'

const MAX_NAMED = 5

/** Whether the settings are still as files of settings were applied. Nothing where none was. */
export async function checkDrift(storage: Storage): Promise<Check[]> {
  return (await readDrift(storage)).map(({ managedBy, paths }): Check => {
    if (paths.length === 0) return { name: 'settings', status: 'ok', message: `as ${managedBy} has applied them` }
    const named = `${paths.slice(0, MAX_NAMED).join(', ')}${paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''}`
    const message = `changed since ${managedBy} applied its file: ${named}. \`portaria diff FILE\` shows how`
    return { name: 'settings', status: 'warn', message }
  })
}

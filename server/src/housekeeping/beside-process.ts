// A program of its own, which the service starts beside itself (`beside.ts`): `tidy` removes what is due, `count` counts for the reports.
// It ends after so many ms, or when the service does; it may be killed at any time.
import { existsSync } from 'node:fs'
import process from 'node:process'
import { readConfig } from '../config.ts'
import { type AppContext, openContext } from '../context.ts'
import { readMasterKey } from '../master-key-file.ts'
import { countStreams } from '../reports/index.ts'
import { compareClocks, isDatabaseAway, isReadOnly } from '../storage/index.ts'
import { ANOTHER_TIME, migrationsHere } from './beside.ts'
import { tidy } from './tidy.ts'

const [work, forMs, migrations] = process.argv.slice(2)
setTimeout(() => process.exit(), Number(forMs))
// The service holds the other end.
process.stdin.on('close', () => process.exit()).resume()
// The files of another version were put in place, which migrates with its own start.
if (migrations !== migrationsHere()) process.exit()
try {
  const context = await open()
  if (work === 'tidy') await tidy(context, await compareClocks(context.clock, context.storage))
  else await countStreams(context)
  await context.close()
} catch (fault) {
  // While the database is copied there is nothing to be done.
  if (!isReadOnly(fault)) refuse(String(fault), isDatabaseAway(fault) ? ANOTHER_TIME : 1)
}
process.exit()

/** Makes neither a key nor a database where the service has them: they must be there. */
async function open(): Promise<AppContext> {
  const read = await readConfig(process.env)
  if ('faults' in read) return refuse(read.faults.map(({ variable, expects }) => `${variable}: expects ${expects}`).join('; '))
  const { database } = read.config
  if (database.dialect === 'sqlite' && !existsSync(database.file)) return refuse(`${database.file} is gone`)
  const masterKey = await readMasterKey(read.config)
  if (!masterKey || 'fault' in masterKey) return refuse(masterKey?.fault ?? 'the master key is gone')
  const opened = await openContext(
    { ...read.config, masterKey: masterKey.key },
    { onFault: (fault) => refuse(String(fault), isDatabaseAway(fault) ? ANOTHER_TIME : 1) },
  )
  return 'refusal' in opened ? refuse(opened.refusal) : opened
}

/** The service reports it. */
function refuse(reason: string, code = 1): never {
  console.error(reason)
  process.exit(code)
}

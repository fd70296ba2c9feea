// A program of its own, which the service starts beside itself: `tidy` removes what is due, `count` counts for the reports. It may be
// killed at any time.
import process from 'node:process'
import { readConfig } from '../config.ts'
import { type AppContext, openContext } from '../context.ts'
import { findMasterKey } from '../master-key-file.ts'
import { countStreams } from '../reports/index.ts'
import { compareClocks } from '../storage/index.ts'
import { tidy } from './tidy.ts'

const context = await open()
if (process.argv[2] === 'tidy') await tidy(context, await compareClocks(context.clock, context.storage))
else await countStreams(context)
await context.close()

async function open(): Promise<AppContext> {
  const read = await readConfig(process.env)
  if ('faults' in read) return refuse(read.faults.map(({ variable, expects }) => `${variable}: expects ${expects}`).join('; '))
  const masterKey = await findMasterKey(read.config)
  if ('fault' in masterKey) return refuse(masterKey.fault)
  const opened = await openContext({ ...read.config, masterKey: masterKey.key }, { onFault: (error) => refuse(String(error)) })
  return 'refusal' in opened ? refuse(opened.refusal) : opened
}

/** The service reports it. */
function refuse(reason: string): never {
  console.error(reason)
  process.exit(1)
}

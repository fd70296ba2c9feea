import { listAudit } from '../../audit/index.ts'
import { createClock, describeClock, MINUTE_MS } from '../../kit/index.ts'
import { readZone } from '../../reports/index.ts'
import { compareClocks, type Storage } from '../../storage/index.ts'
import { localTimeIn } from '../command/local-time.ts'
import type { Check } from './doctor-check.ts'
import { check } from './doctor-check.ts'

const CLOCK_WARN_MS = MINUTE_MS

/**
 * Compared with the database's clock, by which all nodes agree. On SQLite that is this machine's own; but the audit log's newest entry
 * can't be of tomorrow: with a slow clock, tokens are refused or live too long.
 */
export async function checkClock(storage: Storage): Promise<Check> {
  const clock = createClock()
  const time = await compareClocks(clock, storage)
  if (clock.state() !== 'right') {
    const refused = clock.state() === 'wrong' ? '; until then the service does not start here' : '; until then the service corrects it'
    return check('clock', clock.state() === 'wrong' ? 'fail' : 'warn', `${describeClock(clock.aheadMs())}${refused}`)
  }
  const [newest] = await listAudit(storage.db, { limit: 1 })
  const ahead = newest === undefined ? 0 : newest.at - time
  if (ahead <= CLOCK_WARN_MS) return check('clock', 'ok', localTimeIn(await readZone(storage.db))(time))
  const seconds = Math.round(ahead / 1000)
  return check(
    'clock',
    'fail',
    `this machine's clock is ${seconds} s behind the newest audit entry: set it (NTP), or tokens will be refused`,
  )
}

import { DAY_MS, type Sealer } from '../../kit/index.ts'
import { signingKeyState, signingKeyStore } from '../../sessions/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { Check } from './doctor-check.ts'
import { check } from './doctor-check.ts'

/** A key is replaced after 90 days; some more days mean that housekeeping does not run. */
const OLD_KEY_MS = 100 * DAY_MS

export async function checkSigningKeys({ db }: Storage, sealer: Sealer): Promise<Check[]> {
  const name = 'signing key'
  const keys = await signingKeyStore(db).list()
  const current = keys.find((key) => signingKeyState(key, keys, Date.now()) === 'signing')
  if (!current) return [check(name, 'warn', 'none signs yet: the first start of the service makes one')]
  const closed = keys.filter(({ kid, privateSealed }) => sealer.open(privateSealed, `signing_keys.private_sealed.${kid}`) === undefined)
  if (closed.length > 0)
    return [check(name, 'fail', `${closed.map(({ kid }) => kid).join(', ')} can't be opened: \`portaria keys revoke\` it`)]
  const age = Date.now() - current.signsFrom
  const days = `${current.kid} has signed for ${Math.floor(age / DAY_MS)} days`
  if (age > OLD_KEY_MS)
    return [check(name, 'warn', `${days}: the service makes a new one by itself while it runs; \`portaria keys rotate\` does so now`)]
  return [check(name, 'ok', days)]
}

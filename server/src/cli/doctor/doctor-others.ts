import type { Config } from '../../config.ts'
import { PROVIDER_TIMEOUT_SECONDS, providerStore } from '../../identity-providers/index.ts'
import type { Sealer } from '../../kit/index.ts'
import { createMailer } from '../../mail/index.ts'
import { countRefused, notificationStore, REFUSED_LATELY_MS } from '../../notifications/index.ts'
import { countJobs } from '../../outbox/index.ts'
import { COPY_UNFINISHED, findCopy, findProgress, type Storage } from '../../storage/index.ts'
import { examineProvider } from '../idp/examine-provider.ts'
import type { Check } from './doctor-check.ts'

/** Connects to the mail server, and sends nothing. */
export async function checkMailServer({ smtpUrl, mailFrom, mailFolder }: Config): Promise<Check[]> {
  if (smtpUrl === undefined) return []
  const mailer = createMailer({ smtpUrl, from: mailFrom, folder: mailFolder, now: Date.now })
  const verified = await mailer.verify()
  await mailer.close()
  const { host } = new URL(smtpUrl)
  if (verified === 'answers') return [{ name: 'mail', status: 'ok', message: `${host} answers` }]
  const fix = 'check PORTARIA_SMTP_URL; until then mails wait in the outbox'
  return [{ name: 'mail', status: 'fail', message: `${host} takes no mail (${verified.reason}): ${fix}` }]
}

/** A copy makes its source read only, and its target is not used before it is whole. */
export async function checkCopy({ db }: Storage): Promise<Check[]> {
  if (await findProgress(db)) return [{ name: 'copy', status: 'fail', message: COPY_UNFINISHED }]
  const copy = await findCopy(db)
  if (!copy) return []
  const state = copy.doneAt === undefined ? 'is being copied' : 'has been copied'
  const message = `this database ${state} to ${copy.to} and can be read only: start the service there, or give the copy up (\`portaria copy --give-up\`)`
  return [{ name: 'copy', status: 'warn', message }]
}

/** Dead letters stay until the operator acts. */
export async function checkOutbox({ db }: Storage): Promise<Check> {
  const { pending, dead } = await countJobs(db)
  if (dead === 0) return { name: 'outbox', status: 'ok', message: `${pending} pending, no dead letters` }
  const deadLetters = dead === 1 ? '1 dead letter' : `${dead} dead letters`
  return { name: 'outbox', status: 'warn', message: `${deadLetters}, not tried again by themselves: see \`portaria outbox list --dead\`` }
}

/** Counts notifications that are pending for the operator, failed, or were refused lately. No other check shows them. */
export async function checkNotifications({ db }: Storage): Promise<Check> {
  const name = 'notifications'
  const open = await notificationStore(db).countOpen()
  const countOf = (wanted: string) => open.filter(({ state }) => state === wanted).reduce((sum, { count }) => sum + count, 0)
  const refused = await countRefused(db, Date.now() - REFUSED_LATELY_MS)
  const found = [
    { status: 'unresolved', count: countOf('unresolved'), label: 'unresolved' },
    { status: 'failed', count: countOf('failed'), label: 'failed' },
    { status: 'refused', count: refused.count, label: 'refused in the last 7 days' },
  ].filter(({ count }) => count > 0)
  if (found.length === 0) return { name, status: 'ok', message: 'none waits for you, and none was refused lately' }
  const lists = found.map(({ status, count, label }) => `${count} ${label}: \`portaria webhook list --status ${status}\``)
  return { name, status: 'warn', message: lists.join('; ') }
}

/** One line for each identity provider. */
export async function checkProviders(config: Config, storage: Storage, sealer: Sealer): Promise<Check[]> {
  const providers = await providerStore(storage.db).list()
  const checks = providers.map(async (provider): Promise<Check> => {
    const name = `idp ${provider.id}`
    const context = { config, storage, sealer, timeoutSeconds: PROVIDER_TIMEOUT_SECONDS, now: Date.now }
    const findings = await examineProvider(provider, context)
    const failed = findings.filter(({ result }) => result === 'fail').map(({ says }) => says)
    if (failed.length === 0) return { name, status: 'ok', message: `${provider.issuer} answers` }
    return { name, status: 'fail', message: `${failed.join('; ')} (more: \`portaria idp test ${provider.id}\`)` }
  })
  return Promise.all(checks)
}

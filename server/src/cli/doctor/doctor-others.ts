import { listGatewayStates } from '../../admin/index.ts'
import type { Config } from '../../config.ts'
import { PROVIDER_TIMEOUT_SECONDS, providerStore } from '../../identity-providers/index.ts'
import type { Sealer } from '../../kit/index.ts'
import { createMailer } from '../../mail/index.ts'
import { countRefused, notificationListStore, REFUSED_LATELY_MS } from '../../notifications/index.ts'
import { countJobs } from '../../outbox/index.ts'
import { productStore } from '../../products/index.ts'
import { COPY_UNFINISHED, findCopy, findProgress, hasFence, type Storage } from '../../storage/index.ts'
import { administratorStore } from '../../users/index.ts'
import { examineProvider } from '../idp/examine-provider.ts'
import type { Ask } from './asking.ts'
import type { Check } from './doctor-check.ts'

const MAX_PRODUCTS = 1_000
const MAX_NAMED = 5

/** Connects to the mail server, and sends nothing. */
export async function checkMailServer({ smtpUrl, mailFrom, mailFolder, isDevelopment }: Config, ask: Ask): Promise<Check[]> {
  if (smtpUrl === undefined) return [noMailServer(mailFolder, isDevelopment)]
  const mailer = createMailer({ smtpUrl, from: mailFrom, folder: mailFolder, now: Date.now })
  const { host } = new URL(smtpUrl)
  const verified = await ask(`the mail server ${host}`, () => mailer.verify())
  await mailer.close()
  if (verified === 'answers') return [{ name: 'mail', status: 'ok', message: `${host} answers` }]
  const fix = 'check PORTARIA_SMTP_URL; until then mails wait in the outbox'
  return [{ name: 'mail', status: 'fail', message: `${host} takes no mail (${verified.reason}): ${fix}` }]
}

/** On a developer's own machine mails are read in their folder. */
function noMailServer(folder: string | undefined, isDevelopment: boolean): Check {
  const name = 'mail'
  const fix = 'set PORTARIA_SMTP_URL'
  if (folder === undefined)
    return { name, status: 'warn', message: `no mail server, so nothing is sent, and nobody can sign up or recover a password: ${fix}` }
  const message = `no mail server: mails are written into ${folder}, and not sent`
  return isDevelopment ? { name, status: 'ok', message } : { name, status: 'warn', message: `${message}: ${fix}` }
}

/** Without an administrator nobody can use the console, nor connect anything there. */
export async function checkAdministrator({ db }: Storage): Promise<Check> {
  const name = 'administrator'
  if (await administratorStore(db).hasAdministrator()) return { name, status: 'ok', message: 'there is at least one' }
  return { name, status: 'warn', message: 'none yet: `portaria setup-link` makes the address at which the first one signs up' }
}

/**
 * The secret of the operator's own checkout, without which its notifications are refused. Products whose payments a gateway reports need
 * none.
 */
export async function checkWebhookSecret({ webhookSecrets }: Config, storage: Storage): Promise<Check> {
  const name = 'webhook secret'
  if (webhookSecrets.length > 0) return { name, status: 'ok', message: 'set: purchase notifications are verified with it' }
  const connected = new Set((await listGatewayStates(storage)).flatMap(({ credentials, productId }) => (credentials ? [productId] : [])))
  const without = (await productStore(storage.db).list({ limit: MAX_PRODUCTS })).filter(
    ({ id, checkout }) => checkout === 'integrated' && !connected.has(id),
  )
  if (without.length === 0) return { name, status: 'ok', message: 'none: only a checkout of your own needs one' }
  const slugs = without.slice(0, MAX_NAMED).map(({ slug }) => slug)
  const named = `${slugs.join(', ')}${without.length > MAX_NAMED ? ' and others' : ''}`
  const message = `none, so every purchase notification is answered 500: if your own checkout sells ${named}, set PORTARIA_WEBHOOK_SECRET here and there`
  return { name, status: 'warn', message }
}

const ONLY_FENCE =
  'this database can be read only, though no copy of it is noted: make it writable again (`portaria copy --give-up`, with --from)'

/** A copy makes its source read only, and its target is not used before it is whole. */
export async function checkCopy(storage: Storage): Promise<Check[]> {
  const { db } = storage
  if (await findProgress(db)) return [{ name: 'copy', status: 'fail', message: COPY_UNFINISHED }]
  const isFenced = await hasFence(storage)
  const copy = await findCopy(db)
  if (!copy && !isFenced) return []
  if (!copy) return [{ name: 'copy', status: 'fail', message: ONLY_FENCE }]
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
  const open = await notificationListStore(db).countOpen()
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
export async function checkProviders({
  config,
  storage,
  sealer,
  ask,
}: {
  config: Config
  storage: Storage
  sealer: Sealer
  ask: Ask
}): Promise<Check[]> {
  const providers = await providerStore(storage.db).list()
  const checks = providers.map(async (provider): Promise<Check> => {
    const name = `idp ${provider.id}`
    const context = { config, storage, sealer, timeoutSeconds: PROVIDER_TIMEOUT_SECONDS, now: Date.now }
    const findings = await ask(`the identity provider ${provider.id}`, () => examineProvider(provider, context))
    const failed = findings.filter(({ result }) => result === 'fail').map(({ says }) => says)
    if (failed.length === 0) return { name, status: 'ok', message: `${provider.issuer} answers` }
    return { name, status: 'fail', message: `${failed.join('; ')} (more: \`portaria idp test ${provider.id}\`)` }
  })
  return Promise.all(checks)
}

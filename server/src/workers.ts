import { createAccessReporter } from './access/index.ts'
import { notificationRunJob } from './admin/serve/index.ts'
import type { AppContext } from './context.ts'
import { createDeliveryWorker, DELIVERY_MS, eventMetrics } from './event-delivery/index.ts'
import { fetchPaymentJob, type MerchantAccounts } from './gateways/index.ts'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch/index.ts'
import type { Metrics } from './http/index.ts'
import type { Mailer } from './mail/index.ts'
import { askingGivenUp, processPendingJob } from './notifications/index.ts'
import { countDeadLanes, countJobs, createOutbox, joinOutboxes } from './outbox/index.ts'
import { type ProductDirectory, productStore } from './products/index.ts'
import { deliverLogoutJob, type KeyRing } from './sessions/index.ts'
import { sharedScopes } from './sign-in/index.ts'
import { leaseTime } from './storage/index.ts'
import { mailJobs } from './users/index.ts'

interface WorkersDeps {
  products: ProductDirectory
  keys: KeyRing
  merchantAccounts: MerchantAccounts
  guardedFetch: GuardedFetch
  mailer: Mailer
  metrics: Metrics
}

/**
 * Builds the work that is done after an answer, as `app.ts` builds the answers. `outbox` takes mails and other jobs, `questions` those that
 * ask a gateway. `all` starts and stops them, with the notices of sign-outs and the deliveries of events.
 */
export function createWorkers(context: AppContext, deps: WorkersDeps) {
  const { config, storage, changes, sealer, masterKeys, clock, now, onFault } = context
  const { products, keys, merchantAccounts, guardedFetch, mailer, metrics } = deps
  const { baseUrl } = config
  const outboxDeps = { storage, sealer, now, setBacks: clock.setBacks, leaseTime: () => leaseTime(clock, storage), onFault }
  const mails = createOutbox({
    ...outboxDeps,
    handlers: mailJobs({ storage, mailer, sealer, codeKey: masterKeys.ticketCode, baseUrl, now }),
  })
  // They ask nobody: a mail server that hangs must not hold them up.
  const payments = createOutbox({
    ...outboxDeps,
    handlers: {
      process_pending: processPendingJob({ storage, changes, sealer, now }),
      run_notifications: notificationRunJob({ storage, changes, sealer, now, onFault }),
    },
  })
  const outbox = joinOutboxes([mails, payments])
  const questions = createOutbox({
    ...outboxDeps,
    handlers: { fetch_payment: fetchPaymentJob({ storage, changes, merchantAccounts, sealer, guardedFetch, now }) },
    onGivenUp: { fetch_payment: askingGivenUp },
  })
  const onAttempt = (product: string, result: string) => metrics.logoutDeliveries.inc({ product, result })
  const logoutNotices = createOutbox({
    ...outboxDeps,
    atOnce: { all: 16, ofLane: 2, ofGroup: 16 },
    handlers: { backchannel_logout: deliverLogoutJob({ storage, keys, guardedFetch, issuer: baseUrl, now, onAttempt }) },
  })
  changes.follow(({ kind }) => {
    if (kind !== 'session_ended' && kind !== 'user_changed') return
    products.notifiesAnyOfSignOuts().then((any) => any && logoutNotices.wake(), onFault)
  })
  const eventDeliveries = createDeliveryWorker({
    ...outboxDeps,
    baseUrl,
    // Connections of its own: apps that hang take none from gateways and providers.
    guardedFetch: createGuardedFetch({ allowPrivate: config.allowPrivate, isDevelopment: config.isDevelopment, totalMs: DELIVERY_MS }),
    onAttempt: (result) => metrics.eventDeliveries.inc({ result }),
  })
  const accessReporter = createAccessReporter({
    storage,
    now,
    setBacks: clock.setBacks,
    sharedScopes,
    onFault,
    onReported: eventDeliveries.wake,
  })
  changes.follow(({ kind }) => {
    if (kind === 'user_changed' || kind === 'access_changed' || kind === 'product_changed') accessReporter.wake()
  })
  metrics.gauge('portaria_outbox_pending', 'Mails and other jobs to be done', 'largest', async () => (await countJobs(storage.db)).pending)
  metrics.gauge(
    'portaria_outbox_dead',
    'Work that was given up after about two days, or could not be done',
    'largest',
    async () => (await countJobs(storage.db)).dead,
  )
  metrics.gauges('portaria_logout_dead', 'Notices of sign-outs that were given up, by product', ['product'], async () => {
    const dead = await countDeadLanes(storage.db, 'logout')
    const slugs = new Map((await productStore(storage.db).listAll()).map(({ id, slug }) => [id, slug]))
    return dead.map(({ lane, count }) => ({ labels: { product: slugs.get(lane) ?? lane }, value: count }))
  })
  eventMetrics(metrics, { storage, now })
  return { outbox, questions, all: joinOutboxes([outbox, questions, logoutNotices, accessReporter, eventDeliveries]) }
}

import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyPluginCallback } from 'fastify'
import { accessRoutes } from './access/index.ts'
import { adminRoutes, authenticateRoutes, countFailedSignIns, createCursors, inviteOf, setupRoutes } from './admin/serve/index.ts'
import { appearanceRoutes, createAppearances } from './appearance/index.ts'
import { createCopyWatch, refusePagesWhileCopied, watchFeed } from './changes/index.ts'
import type { AppContext } from './context.ts'
import { forwardAuthRoutes } from './forward-auth/index.ts'
import { createMerchantAccounts, gatewayMetrics, gatewayRoutes } from './gateways/index.ts'
import { createGuardedFetch } from './guarded-fetch/index.ts'
import { handoffRoutes } from './handoff/index.ts'
import {
  admitRequests,
  consoleRoutes,
  createMetrics,
  createPeerTrust,
  createResponses,
  createServer,
  docsRoutes,
  type Logger,
  type Metrics,
  observeRequests,
  operationRoutes,
  securityHeaders,
  watchAdmission,
} from './http/index.ts'
import { createAccessTokens, createDiscovery, createOfferedProviders } from './identity-providers/index.ts'
import { createSealer, hmacKey } from './kit/index.ts'
import { createMailer, type Mailer } from './mail/index.ts'
import { myAccountRoutes } from './my-account/index.ts'
import { createClientDocuments, DOCUMENT_FETCH, openIdRoutes } from './openid/index.ts'
import type { Outbox } from './outbox/index.ts'
import type { Metric, Siblings } from './processes/index.ts'
import { createForwardedHosts, createProductDirectory, writeKeysUsed } from './products/index.ts'
import { purchaseRoutes } from './purchases/index.ts'
import { createAdmission, limitStore } from './rate-limits/index.ts'
import {
  createChecks,
  createKeyRing,
  createLiveSessions,
  createOpenedApps,
  createTokens,
  flushLastSeen,
  type KeyRing,
  sessionRoutes,
} from './sessions/index.ts'
import { createBrowserCookies, createFlows, findImpersonation, guardImpersonation, noteProduct, signInRoutes } from './sign-in/index.ts'
import { publicPlanRoutes } from './subscriptions/index.ts'
import { createAttempts, createAuthenticator, createDeviceCookies, createFailedSignIns, passwordStore, userStore } from './users/index.ts'
import { createWorkers } from './workers.ts'

/** `npm run build` puts the console here. */
const CONSOLE_FOLDER = fileURLToPath(new URL('../../console/dist', import.meta.url))

/** The HTTP service, not listening yet, with the jobs its process must run. */
export interface Service {
  app: FastifyInstance
  keys: KeyRing
  metrics: Metrics
  siblings: Siblings | undefined
  outbox: Outbox
  mailer: Mailer
  /** Writes down when the sessions and API keys of this node's memory were last used. */
  flushLastSeen(): Promise<void>
  /** Writes down this node's failed sign-ins: their counts to those of the day, and the list. */
  writeFailedSignIns(): Promise<void>
}

export interface ServiceOptions {
  /** Called with the path of each mail that is written to a file. */
  onMailFile?: (file: string) => void
  /** Joins the processes that serve the port together; `readOwn` answers the numbers of this one. */
  join?: (readOwn: () => Promise<Metric[]>) => Siblings
}

/** Builds each floor and mounts its routes, nothing else. */
export function buildService(context: AppContext, logger: Logger, { onMailFile, join }: ServiceOptions = {}): Service {
  const { config, gateways, storage, changes, sealer, masterKeys, passwords, timeoutSeconds, clock, now, onFault } = context
  const { baseUrl, https, cookieDomain } = config
  const headers = securityHeaders({ https })
  const appearances = createAppearances({ storage, changes, onFault })
  const copyWatch = createCopyWatch({ storage, changes, onFault })
  const responses = createResponses(headers, { https, lookOf: appearances.lookOf, origin: baseUrl })
  const metrics = createMetrics(join)

  const products = createProductDirectory({ storage, changes, now })
  const forwardedHosts = createForwardedHosts({ storage, changes, baseUrl })
  const keys = createKeyRing({ storage, sealer, changes, now, onFault })
  const tokens = createTokens({ keys, issuer: baseUrl, now })
  const sessions = createLiveSessions({ storage, changes, now })
  const checks = createChecks({ tokens, sessions, keys, domainAudience: baseUrl, now })
  const users = userStore(storage.db)
  const limits = limitStore(storage.db)
  const devices = createDeviceCookies(masterKeys.deviceCookie)
  const attempts = createAttempts({ limits, now })
  const authenticate = createAuthenticator({ users, hashes: passwordStore(storage.db), passwords, devices, attempts })
  const failedSignIns = createFailedSignIns({ storage, now })
  const flows = createFlows({ sealer: createSealer([masterKeys.flow]), now })
  const cookies = createBrowserCookies({ https, cookieDomain, flowKey: masterKeys.flowCookie })
  const admission = createAdmission()
  const server = { admission, trustProxy: config.trustProxy, responses, logger, metrics }
  const app = createServer({ ...server, findImpersonation: (request) => findImpersonation(request, { cookies, checks, baseUrl }) })
  const guardedFetch = createGuardedFetch({ allowPrivate: config.allowPrivate, isDevelopment: config.isDevelopment })
  const discovery = createDiscovery({ storage, sealer, guardedFetch, timeoutSeconds, now })
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, folder: config.mailFolder, onFile: onMailFile, now })
  const merchantAccounts = createMerchantAccounts({ storage, changes, sealer, gateways })
  const workers = createWorkers(context, { products, keys, merchantAccounts, guardedFetch, mailer, metrics })
  const documentFetch = createGuardedFetch({ allowPrivate: config.allowPrivate, isDevelopment: config.isDevelopment, ...DOCUMENT_FETCH })
  const documents = config.experiments.includes('cimd')
    ? createClientDocuments({ guardedFetch: documentFetch, limits, isDevelopment: config.isDevelopment, now })
    : undefined
  const accessTokens = createAccessTokens({ storage, discovery, guardedFetch, timeoutSeconds, now })
  metrics.gauge('portaria_password_queue', 'Password checks that wait for a core', 'sum', passwords.queued)
  metrics.gauge('portaria_remembered_sessions', 'Sessions in memory', 'sum', sessions.size)
  gatewayMetrics(metrics, { storage, gateways, now })
  watchFeed(metrics, { changes, clock })

  watchAdmission(metrics, admission)

  const shared = { admission, storage, changes, products, tokens, sessions, checks, responses, headers, metrics, now }
  const features: FastifyPluginCallback = (scope, _options, done) => {
    // After a standstill or a lost connection, memory may be stale: the feed is read first.
    scope.addHook('onRequest', async () => void (await changes.refresh()))
    scope.addHook('onRequest', appearances.refresh)
    refusePagesWhileCopied(scope, { copyWatch, responses })
    const openedApps = createOpenedApps({ storage, changes, now, onFault })
    sessionRoutes(app, scope, {
      ...shared,
      openedApps,
      onFault,
      keys,
      accessTokens,
      issuer: baseUrl,
      accessTokenSeconds: config.accessTokenSeconds,
    })
    handoffRoutes(scope, { ...shared, issuer: baseUrl })
    publicPlanRoutes(scope, shared)
    accessRoutes(app, scope, shared)
    forwardAuthRoutes(app, { ...shared, users, openedApps, forwardedHosts, baseUrl, isTrustedPeer: createPeerTrust(config.trustProxy) })
    gatewayRoutes(scope, { ...shared, sealer, merchantAccounts, outbox: workers.questions, onFault })
    purchaseRoutes(scope, { ...shared, logger, sealer, secrets: config.webhookSecrets.map(hmacKey) })
    const userServices = { authenticate, attempts, devices, limits, passwords, sealer }
    const userKeys = { codeKey: masterKeys.ticketCode, taxIdKey: masterKeys.taxIdIndex }
    const away = { discovery, outbox: workers.outbox, callbackUrl: `${baseUrl}/auth/callback`, onFault }
    const mailFolder =
      config.isDevelopment && config.smtpUrl === undefined && config.mailFolder !== undefined ? path.resolve(config.mailFolder) : undefined
    const listProviders = createOfferedProviders({ storage, changes })
    const signIn = {
      ...shared,
      ...userServices,
      ...userKeys,
      ...away,
      forwardedHosts,
      listProviders,
      flows,
      cookies,
      users,
      failedSignIns,
      baseUrl,
      cookieDomain,
      mailFolder,
    }
    scope.register((pages, _none, mounted) => {
      guardImpersonation(pages, signIn)
      noteProduct(pages, signIn)
      appearanceRoutes(pages, { ...shared, lookOf: appearances.lookOf })
      signInRoutes(pages, signIn)
      myAccountRoutes(pages, { ...signIn, logoOf: appearances.logoOf })
      setupRoutes(pages, signIn)
      authenticateRoutes(pages, signIn)
      const own = { cursors: createCursors(masterKeys.cursor), webhookSecrets: config.webhookSecrets, invite: inviteOf(context) }
      adminRoutes(pages, {
        ...shared,
        ...own,
        users,
        cookies,
        limits,
        baseUrl,
        cookieDomain,
        proxyUrl: `http://127.0.0.1:${config.port}`,
        isDevelopment: config.isDevelopment,
        sealer,
        masterKeys,
        passwords,
        discovery,
        guardedFetch,
        outbox: workers.outbox,
        gateways,
        timeoutSeconds,
      })
      consoleRoutes(pages, { responses, headers, folder: CONSOLE_FOLDER })
      docsRoutes(pages, shared)
      openIdRoutes(pages, scope, { ...signIn, keys, onFault, documents })
      mounted()
    })
    done()
  }
  app.addHook('onReady', appearances.refresh) // an address without a route has a page too
  app.register((scope, _options, done) => {
    observeRequests(scope, server)
    admitRequests(scope, server)
    const hasTrustedProxy = config.trustProxy !== undefined
    operationRoutes(scope, {
      storage,
      responses,
      metrics,
      siblings: metrics.siblings,
      clock,
      hasTrustedProxy,
      metricsPort: config.metricsPort,
    })
    scope.register(features)
    done()
  })
  const flushAllLastSeen = async () => {
    await flushLastSeen(sessions, storage)
    await checks.forgetOver()
    await writeKeysUsed(products, storage)
  }
  const countFailed = countFailedSignIns({ metrics, storage, now })
  return {
    app,
    keys,
    metrics,
    siblings: metrics.siblings,
    outbox: workers.all,
    mailer,
    flushLastSeen: flushAllLastSeen,
    async writeFailedSignIns() {
      const [counted, listed] = await Promise.allSettled([countFailed(), failedSignIns.write()])
      for (const one of [counted, listed]) if (one.status === 'rejected') throw one.reason
    },
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/index.ts'
import { clientAddress, formBody, queryOf } from '../../http/index.ts'
import { providerStore } from '../../identity-providers/index.ts'
import { HOUR_MS } from '../../kit/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import { languages, ownHref } from '../../pages/index.ts'
import { readPersonalData } from '../../personal-data/index.ts'
import { answerForm, createGuards, deviceLabel, type GuardDeps, holdSignedInUser, type SignedInUser } from '../../sign-in/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { identityStore, mailLanguage, mintReportUrl, queueMail, type User, unlinkIdentity, userStore } from '../../users/index.ts'
import { dataSchema, exportSchema, languageSchema, providersSchema, saveLanguageSchema, unlinkProviderSchema } from '../schemas.ts'
import { dataPage, languagePage, providersPage } from './settings-page.ts'

export interface SettingsDeps extends GuardDeps {
  codeKey: Uint8Array
  outbox: Pick<Outbox, 'wake'>
}

const LANGUAGE = '/account/language'
const PROVIDERS = '/account/providers'
const DATA = '/account/data'
/** Downloads of an account in an hour: each reads all data of a user. */
const MAX_EXPORTS = 10

/**
 * The language of pages and mails, the linked providers, and the download of the user's data. The last two need a recent authentication.
 */
export function settingsRoutes(scope: FastifyInstance, deps: SettingsDeps): void {
  const { countChange, requireRecentAuth, requireUser } = createGuards(deps)
  scope.get(LANGUAGE, { schema: languageSchema }, requireUser(showLanguage))
  scope.post(LANGUAGE, { schema: saveLanguageSchema }, requireUser(saveLanguage))
  scope.get(PROVIDERS, { schema: providersSchema }, requireUser(showProviders))
  scope.post(`${PROVIDERS}/unlink`, { schema: unlinkProviderSchema }, requireRecentAuth(countChange(unlink)))
  scope.get(DATA, { schema: dataSchema }, requireUser(showData))
  scope.post(DATA, { schema: exportSchema }, requireRecentAuth(download))
}

async function showLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  _owner: SignedInUser,
  { responses }: SettingsDeps,
): Promise<FastifyReply> {
  const said = queryOf(request).has('saved') ? 'saved' : undefined
  return responses.page(reply, 200, languagePage(responses.pageContext(request, reply, LANGUAGE), { said }))
}

/** Mails change at once. Pages change by the redirect's address, which sets the cookie as the language switch does. */
async function saveLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: SettingsDeps,
): Promise<FastifyReply> {
  const wanted = formBody(request)?.get('language')
  const language = languages.find((one) => one === wanted)
  if (language === undefined) {
    const page = languagePage(deps.responses.pageContext(request, reply, LANGUAGE), { said: 'invalid' })
    return answerForm(request, reply, { status: 400, page, problem: 'invalid' }, deps)
  }
  await userStore(deps.storage.db).setLanguage(user.id, language)
  return deps.responses.redirect(reply, ownHref(LANGUAGE, { lang: language, saved: '1' }))
}

async function showProviders(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: SettingsDeps,
): Promise<FastifyReply> {
  return answerProviders(request, reply, user, {}, deps)
}

async function answerProviders(
  request: FastifyRequest,
  reply: FastifyReply,
  { id }: User,
  { problem }: { problem?: 'last_sign_in_method' },
  { storage, responses }: SettingsDeps,
): Promise<FastifyReply> {
  const known = await providerStore(storage.db).list()
  const linked = await identityStore(storage.db).listOfUser(id)
  const providers = linked.map((one) => ({ ...one, name: nameOf(one, known) }))
  const page = providersPage(responses.pageContext(request, reply, PROVIDERS), { providers, problem })
  return answerForm(request, reply, { status: problem === undefined ? 200 : 400, page, problem }, { responses })
}

async function unlink(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: SettingsDeps): Promise<FastifyReply> {
  const { storage, now, responses, outbox } = deps
  const { user } = owner
  const body = formBody(request)
  const identity = { issuer: textOf(body?.get('issuer')), subject: textOf(body?.get('subject')) }
  const ip = clientAddress(request)
  const device = await deviceLabel(request.headers['user-agent'] ?? '')
  const known = await providerStore(storage.db).list()
  const done = await storage.transaction(async (tx) => {
    if (!(await holdSignedInUser(tx, owner, now))) return 'gone'
    const unlinked = await unlinkIdentity(tx, user.id, identity, { now, ip })
    if (unlinked === 'unlinked') await mailUnlinked(tx, user, { provider: nameOf(identity, known), device, ip }, deps)
    return unlinked
  })
  if (done === 'last_sign_in_method') return answerProviders(request, reply, user, { problem: done }, deps)
  outbox.wake()
  return responses.redirect(reply, ownHref(PROVIDERS))
}

async function mailUnlinked(
  tx: Transaction,
  user: User,
  where: { provider: string; device: string; ip: string },
  deps: SettingsDeps,
): Promise<void> {
  const at = deps.now()
  const data = { name: user.name, when: at, ...where, reportUrl: await mintReportUrl(tx, user, deps) }
  await queueMail(tx, { to: user.email, kind: 'identity_unlinked', data, language: mailLanguage(user) }, { sealer: deps.sealer, at })
}

/** A provider's name: the operator's, or its issuer once it is no longer connected. */
function nameOf({ issuer }: { issuer: string }, known: ReadonlyArray<{ issuer: string; name: string }>): string {
  return known.find((one) => one.issuer === issuer)?.name ?? issuer
}

/** PostgreSQL stores no NUL in a text. */
function textOf(value: string | null | undefined): string {
  return (value ?? '').replaceAll('\0', '')
}

async function showData(
  request: FastifyRequest,
  reply: FastifyReply,
  _owner: SignedInUser,
  { responses }: SettingsDeps,
): Promise<FastifyReply> {
  return responses.page(reply, 200, dataPage(responses.pageContext(request, reply, DATA)))
}

async function download(request: FastifyRequest, reply: FastifyReply, { user }: SignedInUser, deps: SettingsDeps): Promise<FastifyReply> {
  const { limits, storage, responses, now } = deps
  const { within, retryAfterSeconds } = await limits.count({ key: `export:${user.id}`, most: MAX_EXPORTS, windowMs: HOUR_MS }, now())
  if (!within) {
    reply.header('retry-after', String(retryAfterSeconds))
    return responses.refuse(request, reply, 429, 'muitas tentativas')
  }
  const entry = { actor: `user:${user.id}`, action: 'user.export', target: user.id, ip: clientAddress(request) }
  await recordAudit(storage.db, entry, now())
  const data = await readPersonalData(user, deps)
  const day = new Date(now()).toISOString().slice(0, 10)
  return responses.file(reply, `portaria-${day}.json`, data)
}

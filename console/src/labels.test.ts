// Everything that the service names, the console has words for, in every language. Each list is read from the service itself.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ROLES } from '../../server/src/admin/api/permissions.ts'
import { auditListQuery } from '../../server/src/admin/audit/audit-routes.ts'
import type { ExportEnd } from '../../server/src/admin/exports/read-rows.ts'
import type { Resealed } from '../../server/src/admin/master-key/reseal.ts'
import { notificationListQuery } from '../../server/src/admin/notifications/notification-queries.ts'
import { ALERT_KINDS } from '../../server/src/admin/overview/alerts/alert.ts'
import { subscriptionListQuery } from '../../server/src/admin/subscriptions/subscription-schemas.ts'
import { transactionListQuery } from '../../server/src/admin/transactions/transaction-schemas.ts'
import type { ExportCounts, ExportScope } from '../../server/src/admin/users/export-users.ts'
import type { ImportCounts } from '../../server/src/admin/users/import/import-users.ts'
import { userListQuery } from '../../server/src/admin/users/user-schemas.ts'
import { TEST_FAULTS, type WebhookTestStep } from '../../server/src/admin/webhooks/test-webhook.ts'
import { EVENT_TYPES } from '../../server/src/app-events/index.ts'
import { APPEARANCE_FIELDS } from '../../server/src/appearance/index.ts'
import { API_URL_WARNINGS, GATEWAY_API_FAULTS } from '../../server/src/gateways/index.ts'
import { FINDING_CODES, type IdentityProvider, PROVIDER_KINDS } from '../../server/src/identity-providers/index.ts'
import { mailTemplates } from '../../server/src/mail/templates/mail-templates.ts'
import { AWAITS_PURCHASE, NOTIFICATION_STATUSES } from '../../server/src/notifications/index.ts'
import { OWN_REASONS } from '../../server/src/notifications/notification.ts'
import { PAYMENT_KINDS } from '../../server/src/payment-history/index.ts'
import {
  FORWARD_ACCESS,
  type ForwardAuth,
  GATEWAYS,
  METHODS,
  OPENID_KINDS,
  PKCE,
  type Product,
  SCOPES,
} from '../../server/src/products/index.ts'
import { PURCHASE_EVENTS } from '../../server/src/purchases/index.ts'
import type { EndReason } from '../../server/src/sessions/index.ts'
import { FAILED_SIGN_INS } from '../../server/src/sign-in/index.ts'
import { BELOW_PRICE, type Plan, SUBSCRIPTION_STATES } from '../../server/src/subscriptions/index.ts'
import { FOREIGNERS, REQUIREMENTS, type User, type UserChange } from '../../server/src/users/index.ts'
import { actionLabels } from './audit/actions/action-labels.ts'
import { inSnakeCase } from './audit/change/change-rows.ts'
import { fieldLabels } from './audit/change/field-labels.ts'
import { valueNames } from './audit/change/value-names.ts'
import { targetOf } from './audit/target-of.ts'
import { auditTexts } from './audit/texts.ts'
import { eventTypeTexts } from './endpoints/event-type-texts.ts'
import { sentenceOf } from './faults/fault.ts'
import { networkTexts } from './faults/network-texts.ts'
import { alertTexts } from './home/alert-texts.ts'
import { type Locale, locales } from './i18n/locales.ts'
import { providerFaultTexts } from './identity-providers/connection-test/fault-texts.ts'
import { jobTexts } from './jobs/texts.ts'
import { notificationTexts } from './notifications/texts.ts'
import { whyTexts } from './notifications/why-texts.ts'
import { paymentTexts } from './payments/payment-texts.ts'
import { gatewayFaultTexts } from './products/gateways/fault-texts.ts'
import { failureTexts } from './sessions/failure-texts.ts'
import { timelineTexts } from './timeline/texts.ts'
import { events, fixOf } from './webhook-test/tested.ts'
import { testTexts } from './webhook-test/texts.ts'

/** The service's sources, as one text. */
function sources(): string {
  const folder = fileURLToPath(new URL('../../server/src/', import.meta.url))
  const files = globSync('**/*.ts', { cwd: folder }).filter((name) => !name.endsWith('.test.ts'))
  return files.map((name) => readFileSync(`${folder}${name}`, 'utf8')).join('\n')
}

function assertLabels(names: Iterable<string>, labelsOf: (locale: Locale) => Readonly<Record<string, string>>): void {
  for (const locale of locales) {
    const labels = labelsOf(locale)
    for (const name of names) assert.ok(labels[name], `${name} in ${locale}`)
  }
}

describe('The console has words in every language', () => {
  it('for every way in which a sign-in fails, and for none that there is not', () => {
    assertLabels(FAILED_SIGN_INS, (locale) => failureTexts[locale])
    // Counted before there were reasons.
    assert.deepEqual(new Set(Object.keys(failureTexts.en)), new Set([...FAILED_SIGN_INS, 'earlier']))
  })

  it('for every action of the audit log, and for none that there is not', () => {
    const code = sources()
    const floors = [...new Set(Object.keys(actionLabels.en).map((name) => name.split('.')[0]))].join('|')
    const named = new Set([...code.matchAll(/action: '([a-z_]+\.[a-z_]+)'/g)].map(([, name = '']) => name))
    assert.ok(named.size > 40, `${named.size}`)
    assertLabels(named, (locale) => actionLabels[locale])
    for (const name of Object.keys(actionLabels.en)) assert.match(code, new RegExp(`'${name.replace('.', '\\.')}'`), `nobody does ${name}`)
    // Where an action is a variable, its name stands elsewhere in the code, as a literal in a form that other literals do not have.
    const literals = [...code.matchAll(new RegExp(`[ (]'((?:${floors})\\.[a-z_]+)'`, 'g'))].map(([, name = '']) => name)
    assertLabels(
      literals.filter((name) => !notActions.has(name)),
      (locale) => actionLabels[locale],
    )
  })

  it('for every field that an action records, and each field is known as one with words or one without', () => {
    const { names, spreads } = recordedFields()
    assert.ok(names.size > 60, [...names].join())
    assert.deepEqual(
      [...spreads].filter((spread) => !Object.hasOwn(recordedWhole, spread)),
      [],
      'objects recorded as a whole, whose fields this test does not know',
    )
    for (const field of inLists) names.add(field)
    for (const fields of Object.values(recordedWhole)) for (const field of fields) names.add(inSnakeCase(field))
    assertLabels(names, (locale) => fieldLabels[locale])
    const known = new Set([...Object.keys(fieldValues), ...withoutLabels])
    assert.deepEqual(
      [...names].filter((name) => !known.has(name)),
      [],
      'fields of which this test does not know whether their values are words of ours',
    )
  })

  it('for every value of a field that has words of ours, and for none that no field has', () => {
    for (const [field, values] of Object.entries(fieldValues)) assertLabels(values, (locale) => valueNames(locale)[field] ?? {})
    const unknown = Object.entries(valueNames('en')).flatMap(([field, labels]) =>
      Object.keys(labels).filter((name) => field !== 'filters' && !fieldValues[field]?.includes(name) && !shared.has(field)),
    )
    assert.deepEqual(unknown, [])
  })

  it('for every target of which there is one, and a kind for the target of every action', () => {
    const nouns = new Set(Object.keys(actionLabels.en).map((action) => action.split('.')[0] ?? ''))
    const targetOnly = (action: string) => targetOf({ action, before: null, after: null }).kind
    const withoutName = [...nouns].filter((noun) => targetOnly(`${noun}.of_tomorrow`) === 'id')
    assert.deepEqual(withoutName.sort(), ['handoff', 'purchase', 'session', 'signing_key'])
    assertLabels(
      ['sessions', 'outbox', 'master_key', 'webhook', 'reports', 'database', 'setup_link'],
      (locale) => auditTexts[locale].targets,
    )
    const singles = [...sources().matchAll(/action: '[a-z_.]+',\s*target: '([a-z_]+)'/g)].map(([, name = '']) => name)
    assert.ok(singles.length >= 6, singles.join())
    assertLabels(singles, (locale) => auditTexts[locale].targets)
    const places = [...sources().matchAll(/reportLeakedKey\([^;]*?place: '([a-z ]+)'/g)].map(([, place = '']) => place)
    assert.equal(places.length, 2)
    assertLabels(
      places.map((place) => `in the address of ${place}: rotate it`),
      (locale) => auditTexts[locale].leaks,
    )
  })

  it('for every mail, job and end of a session', () => {
    assertLabels(Object.keys(mailTemplates), (locale) => timelineTexts[locale].mails)
    const jobs = new Set([...sources().matchAll(/addJob\(\s*tx,\s*\{\s*kind: '([a-z_]+)'/g)].map(([, name = '']) => name))
    assert.ok(jobs.size >= 4, [...jobs].join())
    assertLabels(jobs, (locale) => jobTexts[locale].kinds)
    assertLabels(Object.keys(ends), (locale) => timelineTexts[locale].ends)
  })

  it('for everything that a test of a provider, a gateway or the webhook can find, with the values of it', () => {
    const values = {
      host: 'H',
      hostname: 'H',
      address: 'A',
      issuer: 'I',
      named: 'N',
      status: 404,
      type: 'T',
      methods: 'M',
      own_url: 'U',
      end: 'E',
      error: 'E',
    }
    for (const locale of locales) {
      const say = (code: string, ...labels: Array<Readonly<Record<string, string>>>) => {
        const sentence = sentenceOf({ says: 'x', code, values }, ...labels)
        assert.ok(sentence && !sentence.includes('%{'), `${code} in ${locale}: ${sentence}`)
      }
      for (const code of FINDING_CODES) say(code, networkTexts[locale], providerFaultTexts[locale])
      for (const code of [...GATEWAY_API_FAULTS, ...API_URL_WARNINGS]) say(code, networkTexts[locale], gatewayFaultTexts[locale])
      const { fix } = testTexts[locale]
      for (const code of TEST_FAULTS) assert.ok(fixOf(code, fix), `${code} in ${locale}`)
    }
  })

  it('for everything that a timeline or a notification can show of a payment', () => {
    assertLabels(PURCHASE_EVENTS, (locale) => paymentTexts[locale].events)
    assertLabels(PAYMENT_KINDS, (locale) => paymentTexts[locale].kinds)
    assertLabels(['purchase', 'operator', ...GATEWAYS], (locale) => paymentTexts[locale].sources)
    assertLabels(METHODS, (locale) => paymentTexts[locale].methods)
    assertLabels(SUBSCRIPTION_STATES, (locale) => paymentTexts[locale].states)
    assertLabels(NOTIFICATION_STATUSES, (locale) => notificationTexts[locale].statuses)
    assertLabels([...NOTIFICATION_STATUSES, AWAITS_PURCHASE], (locale) => timelineTexts[locale].statuses)
    for (const part of ['short', 'sentence'] as const) assertLabels([...OWN_REASONS, AWAITS_PURCHASE], (locale) => whyTexts[locale][part])
  })

  it('for every event that an endpoint can choose', () => {
    assertLabels(EVENT_TYPES, (locale) => eventTypeTexts[locale])
  })

  it('for everything that needs attention', () => {
    const about = { count: 2, product: 'loja', gateway: 'Asaas', since: '1/5', until: '2/5' }
    for (const kind of ALERT_KINDS) {
      const said = locales.map((locale) => {
        const { title, text } = alertTexts[locale].kinds[kind] ?? assert.fail(`${kind} in ${locale}`)
        return `${title(about)}: ${text(about)}`
      })
      assert.equal(new Set(said).size, locales.length, kind)
    }
  })

  it('and shows what a newer service names as it is', () => {
    assert.equal(sentenceOf({ says: 'x', code: 'of_tomorrow', values: {} }, networkTexts.en), undefined)
    assert.equal(fixOf('of_tomorrow', testTexts.en.fix), undefined)
  })
})

/** Events of purchases and columns of tables, which look like actions. */
const notActions = new Set<string>([...events, ...EVENT_TYPES, 'outbox.lane', 'outbox.payload_sealed'])

/** A name that only the service has fails the type check. */
const ends: Readonly<Record<EndReason, true>> = {
  signed_out: true,
  replaced: true,
  password_changed: true,
  second_factor_on: true,
  disabled: true,
  operator: true,
  deleted: true,
  restored: true,
  claimed: true,
  sign_in_reported: true,
  email_changed: true,
  deletion_requested: true,
  ended_by_owner: true,
  consent_withdrawn: true,
  grant_revoked: true,
  passkey_removed: true,
  impersonation_stopped: true,
  impersonation_expired: true,
}

/** The fields that actions record by their names, and the objects that they record as a whole, of which only a name stands in the code. */
function recordedFields(): { names: Set<string>; spreads: Set<string> } {
  const names = new Set<string>()
  const spreads = new Set<string>()
  for (const { name: file, code } of recordingFiles()) {
    for (const [, from = ''] of code.matchAll(/recordAudit\([^;]*?\b(?:before|after): (?!readonly)([a-z][\w.]*)/g))
      spreads.add(`${file} ${from}`)
    for (const [, from = ''] of code.matchAll(/recordAudit\([^;]*?\bbefore: [^{}]*?\bafter: (?!readonly)([a-z][\w.]*)/g))
      spreads.add(`${file} ${from}`)
    for (const [, made = ''] of code.matchAll(/const (?:before|after) = await (list\w+)\(/g)) spreads.add(`${file} ${made}`)
    for (const found of code.matchAll(RECORDED)) {
      for (const part of partsOf(code.slice(found.index + found[0].length))) {
        const inner =
          /^\.\.\.\(.*?&& \{(.*)\}\)$/s.exec(part)?.[1] ?? /^\.\.\.\(.*?\? \{(.*?)\} : \{(.*)\}\)$/s.exec(part)?.slice(1).join(',')
        for (const one of inner === undefined ? [part] : partsOf(`${inner}}`)) {
          if (one.startsWith('...')) spreads.add(`${file} ${one}`)
          else if (/^(?!before$|after$)\w+$/.test(one.split(':')[0] ?? '')) names.add(inSnakeCase(one.split(':')[0] ?? ''))
        }
      }
    }
  }
  return { names, spreads }
}

/** The beginning of a recorded value: the change in an entry, or a function or a constant that makes one. */
const RECORDED =
  /\b(?:before|after|recorded|was|wanted|counts)(?:: | = )\{|\b(?:record|audit)\(\{|\): Record<string, [a-z |]+> \{\s+(?:const [^\n]+\n\s+)?return \{/g

/** The files that write into the audit log, and those that work out what they write. */
function recordingFiles(): Array<{ name: string; code: string }> {
  const folder = fileURLToPath(new URL('../../server/src/', import.meta.url))
  const files = globSync('**/*.ts', { cwd: folder }).filter((name) => !name.endsWith('.test.ts'))
  return files
    .map((name) => ({ name: name.replaceAll('\\', '/').replace(/.*\//, ''), code: readFileSync(`${folder}${name}`, 'utf8') }))
    .filter(({ name, code }) => name !== 'store.ts' && /recordAudit|for the audit log/i.test(code))
}

/** The parts of an object up to its closing brace, by its commas. */
function partsOf(code: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of code) {
    if ('([{'.includes(letter)) depth++
    if (')]}'.includes(letter) && depth-- === 0) break
    if (letter === ',' && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${letter}`)
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** A field that only the service has fails the type check. */
const fieldsOf = <T extends object>(fields: Readonly<Record<keyof T, true>>): string[] => Object.keys(fields)

const product = fieldsOf<Product>({
  id: true,
  slug: true,
  name: true,
  audience: true,
  checkout: true,
  handoff: true,
  scopes: true,
  publishableKey: true,
  queryKeyAllowed: true,
  requirements: true,
  openid: true,
  backchannelLogoutUri: true,
  createdAt: true,
})
const openid = fieldsOf<NonNullable<Product['openid']>>({
  kind: true,
  pkce: true,
  idTokenAlg: true,
  postLogoutUris: true,
  resources: true,
  takesDocuments: true,
  since: true,
})
const requirements = fieldsOf<Product['requirements']>({ requires: true, foreigners: true })
const plan = fieldsOf<Plan>({ id: true, scope: true, slug: true, name: true, price: true, belowPrice: true, gatewayRefs: true })
const provider = fieldsOf<IdentityProvider>({
  id: true,
  name: true,
  kind: true,
  issuer: true,
  clientId: true,
  authoritativeFor: true,
  accessTokenAudience: true,
  createdAt: true,
  updatedAt: true,
})
const user = fieldsOf<Required<Omit<UserChange, 'verified' | 'isBeta'>> & Required<Pick<User, 'emailVerifiedAt' | 'beta'>>>({
  name: true,
  avatarUrl: true,
  companyName: true,
  rankName: true,
  isProducer: true,
  beta: true,
  role: true,
  emailVerifiedAt: true,
})
const forwardAuth = fieldsOf<ForwardAuth>({ access: true, plans: true, hosts: true })
const resealed = fieldsOf<Resealed>({
  signingKeys: true,
  webhookKeys: true,
  gatewayCredentials: true,
  endpoints: true,
  taxIds: true,
  identityProviders: true,
  tickets: true,
  secondFactors: true,
  outbox: true,
  idpAttempts: true,
})
const gatewayRef = fieldsOf<Plan['gatewayRefs'][number]>({ gateway: true, ref: true })
const foundInCode: readonly string[] = []

/** The fields of what is recorded as a whole, by the file and the expression there; of some the code itself has the fields. */
const recordedWhole: Readonly<Record<string, readonly string[]>> = {
  'add-provider.ts ...provider': provider,
  'apply.ts counts': foundInCode,
  'change-appearance.ts change': APPEARANCE_FIELDS,
  'change-appearance.ts part': APPEARANCE_FIELDS,
  'change-endpoint.ts wanted': foundInCode,
  'change-endpoint.ts was': foundInCode,
  'change-gateway-credentials.ts auditEntry': foundInCode,
  'change-plan.ts ...before': [...plan, ...gatewayRef],
  'change-plan.ts ...change': plan,
  'change-plan.ts ...input': plan,
  'change-product.ts ...before': [...product, ...openid, ...requirements],
  'change-product.ts ...fields': product,
  'change-product.ts ...recorded': foundInCode,
  'change-provider.ts ...after': provider,
  'change-provider.ts ...before': provider,
  'change-provider.ts ...wanted': provider,
  'change-provider.ts recorded': foundInCode,
  'change-subscription.ts trace': foundInCode,
  'change-user.ts ...fields': user,
  'change-user.ts changed': user,
  'correct-user.ts ...profile.after': ['phone', 'tax_id'],
  'correct-user.ts profile.before': ['phone', 'tax_id'],
  'create-product.ts ...recorded': product,
  'edit-profile.ts ...before': foundInCode,
  'edit-profile.ts difference': foundInCode,
  'export-routes.ts ...after': foundInCode,
  'export-routes.ts ...end': fieldsOf<ExportEnd>({ state: true, rows: true }),
  'export-users.ts ...after': foundInCode,
  'export-users.ts ...counts': fieldsOf<ExportCounts>({ exported: true, disabled: true }),
  'export-users.ts ...scope': fieldsOf<ExportScope>({ hashes: true, taxIds: true }),
  'import-purchases.ts ...after': foundInCode,
  'import-users.ts ...counts': fieldsOf<ImportCounts>({ added: true, known: true, refused: true }),
  'manage-outbox.ts trace': foundInCode,
  'remove-provider.ts ...before': provider,
  'rotate-master-key.ts ...resealed': resealed,
  'set-forward-auth.ts ...after': forwardAuth,
  'set-forward-auth.ts ...before': forwardAuth,
  'set-grace.ts listGraceDays': METHODS,
  'set-plan.ts ...input': plan,
}

/** The fields of the objects in the lists that are recorded: addresses, payment methods, codes at gateways. */
const inLists = ['uri', 'trusted', 'method', 'gateway', 'ref']

/** Every value of the fields that have words of ours; from the service's own lists, or by its own types. */
const fieldValues: Readonly<Record<string, readonly string[]>> = {
  access: FORWARD_ACCESS,
  audience: fieldsOf<Record<Product['audience'], true>>({ internal: true, external: true }),
  backchannel_logout_uri: ['none'],
  below_price: BELOW_PRICE,
  checkout: fieldsOf<Record<Product['checkout'], true>>({ integrated: true, external: true }),
  client_secret: ['another'],
  email: ['asked', 'changed'],
  event: events,
  filters: [...listFilters()],
  foreigners: FOREIGNERS,
  gateway: GATEWAYS,
  gateway_refs: GATEWAYS,
  handoff: fieldsOf<Record<Product['handoff'], true>>({ eg_session: true, eg_token: true }),
  kind: [
    ...OPENID_KINDS,
    ...PROVIDER_KINDS,
    ...fieldsOf<Record<NonNullable<User['taxIdKind']>, true>>({ cpf: true, cnpj: true, passport: true, foreign_tax_id: true, none: true }),
    ...Object.keys(jobTexts.en.kinds),
  ],
  openid: ['off'],
  payment_methods: [...METHODS, ...GATEWAYS],
  pkce: PKCE,
  reason: ['operator', 'failing', 'gone', 'test_arrived'],
  requires: REQUIREMENTS,
  role: ROLES,
  scopes: SCOPES,
  source: ['file', ...GATEWAYS],
  state: [...SUBSCRIPTION_STATES, 'begun', ...fieldsOf<Record<ExportEnd['state'], true>>({ done: true, cut: true })],
  steps: fieldsOf<Record<WebhookTestStep['step'], true>>({ secret: true, reachable: true, answer: true, stored: true, access: true }),
  types: EVENT_TYPES,
  variant: ['A', 'B'],
  what: ['failed'],
}

/** Fields that take the words of a list with more in it. */
const shared = new Set(['gateway', 'gateway_refs', 'payment_methods', 'source', 'types'])

/** Fields whose values are texts, numbers, times, yes or no, ids, or slugs that are shown by a name. */
const withoutLabels = `
  accent access_token_audience add_uris added address_given address_restored api_url applied asked attempts authoritative_for avatar_url
  beta boleto bytes card changed changes client_id company_name count counter created_at dead description disabled done email_verified_at endpoint
  endpoints expires_at exported failed favicon footer from gateway_credentials hashes height hosts id id_token_alg identity_providers
  idp_attempts is_beta is_disabled is_producer is_test issuer jti keep_sessions key known left logo_dark logo_light lost_access name ok outbox passkeys
  method pending phone pix plan plans post_logout_uris price privacy_url product product_user_hash provider_id publishable_key query_key_allowed
  rank_name redirect_uris ref refused remove_uris removed replayed reply_to requirements resources rows scope second_factor
  second_factor_off second_factors sender_name session sessions signing_keys signs_from since slug support_url tables takes_documents
  tax_id tax_ids terms_url text_hash tickets to touch_icon trusted type unresolved until updated_at uri url user_id verified version webhook_keys
  width zone
`
  .trim()
  .split(/\s+/)

/** The filters of the lists that can be exported, whose names an export records. */
function listFilters(): Set<string> {
  const queries = [userListQuery, subscriptionListQuery, transactionListQuery, notificationListQuery, auditListQuery]
  return new Set(queries.flatMap((query) => Object.keys(query.shape)).filter((name) => !['sort', 'limit', 'cursor'].includes(name)))
}

// Everything that the service names, the console has words for, in every language. Each list is read from the service itself.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ALERT_KINDS } from '../../server/src/admin/overview/alerts/alert.ts'
import { TEST_FAULTS } from '../../server/src/admin/webhooks/test-webhook.ts'
import { EVENT_TYPES } from '../../server/src/app-events/index.ts'
import { APPEARANCE_FIELDS } from '../../server/src/appearance/index.ts'
import { API_URL_WARNINGS, GATEWAY_API_FAULTS } from '../../server/src/gateways/index.ts'
import { FINDING_CODES, type IdentityProvider } from '../../server/src/identity-providers/index.ts'
import { mailTemplates } from '../../server/src/mail/templates/mail-templates.ts'
import type { Product } from '../../server/src/products/index.ts'
import type { EndReason } from '../../server/src/sessions/index.ts'
import type { Plan } from '../../server/src/subscriptions/index.ts'
import { actionLabels } from './audit/action-labels.ts'
import { inSnakeCase } from './audit/change/change-rows.ts'
import { fieldLabels } from './audit/change/field-labels.ts'
import { eventTypeTexts } from './endpoints/event-type-texts.ts'
import { sentenceOf } from './faults/fault.ts'
import { networkTexts } from './faults/network-texts.ts'
import { alertTexts } from './home/alert-texts.ts'
import { type Locale, locales } from './i18n/locales.ts'
import { providerFaultTexts } from './identity-providers/connection-test/fault-texts.ts'
import { jobTexts } from './jobs/texts.ts'
import { gatewayFaultTexts } from './products/gateways/fault-texts.ts'
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

  it('for every field that an action records by its name', () => {
    const recorded = sources().matchAll(/recordAudit\([^;]*?\b(?:before|after): \{ ([^{}]*) \}/g)
    const parts = [...recorded].flatMap(([, fields = '']) => fields.split(','))
    const names = parts.map((part) => part.replace(/:.*/s, '').trim()).filter((name) => /^[a-zA-Z_]+$/.test(name))
    assert.ok(new Set(names).size > 20, names.join())
    assertLabels(names.map(inSnakeCase), (locale) => fieldLabels[locale])
    assertLabels([...APPEARANCE_FIELDS, ...Object.keys(recordedWhole)].map(inSnakeCase), (locale) => fieldLabels[locale])
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

/** The fields of objects that are recorded as a whole. A field that only the service has fails the type check. */
const recordedWhole: Readonly<Record<keyof Product | keyof Plan | keyof IdentityProvider, true>> = {
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
  scope: true,
  price: true,
  belowPrice: true,
  gatewayRefs: true,
  kind: true,
  issuer: true,
  clientId: true,
  authoritativeFor: true,
  accessTokenAudience: true,
  updatedAt: true,
}

import { eventTypeTexts } from '../../endpoints/event-type-texts.ts'
import type { Locale } from '../../i18n/locales.ts'
import { jobTexts } from '../../jobs/texts.ts'
import { paymentTexts } from '../../payments/payment-texts.ts'
import { planTexts } from '../../plans/texts.ts'
import { forwardAuthTexts } from '../../products/doors/forward-auth-texts.ts'
import { openIdTexts } from '../../products/doors/openid-texts.ts'
import { productTexts } from '../../products/texts.ts'
import { frameTexts } from '../../texts.ts'
import { testTexts } from '../../webhook-test/texts.ts'
import { fieldLabels } from './field-labels.ts'
import { valueTexts } from './value-texts.ts'

/** Names of others, which are the same in every language. */
const providerKinds = { openid: 'OpenID Connect', apple: 'Apple', facebook: 'Facebook', github: 'GitHub' }

type Names = Readonly<Record<string, string>>

/** The words for the API's own values, by the name of their field. A field that is not here has texts, numbers, times or ids. */
export function valueNames(locale: Locale): Readonly<Record<string, Names>> {
  const [product, payment, openid, own] = [productTexts[locale], paymentTexts[locale], openIdTexts[locale], valueTexts[locale]]
  return {
    access: forwardAuthTexts[locale].accesses,
    audience: product.audiences,
    backchannel_logout_uri: own.uris,
    below_price: planTexts[locale].belowPrices,
    checkout: product.checkouts,
    client_secret: own.secrets,
    email: own.addresses,
    event: payment.events,
    filters: fieldLabels[locale],
    foreigners: product.foreignerNames,
    gateway: payment.sources,
    gateway_refs: payment.sources,
    handoff: product.handoffs,
    kind: { ...openid.kinds, ...providerKinds, ...jobTexts[locale].kinds, ...own.identities },
    openid: own.switches,
    payment_methods: { ...payment.methods, ...payment.sources },
    pkce: openid.pkces,
    reason: own.disables,
    requires: product.requirementNames,
    role: frameTexts[locale].roles,
    scopes: product.scopeNames,
    source: { ...own.sources, ...payment.sources },
    state: { ...own.works, ...payment.states },
    steps: testTexts[locale].steps,
    types: namedSentences(eventTypeTexts[locale]),
    variant: testTexts[locale].variants,
    what: own.replays,
  }
}

/** The page of an endpoint has the names of events, and their forms the sentences: here are both. */
function namedSentences(sentences: Names): Names {
  return Object.fromEntries(Object.entries(sentences).map(([name, sentence]) => [name, `${name}: ${sentence}`]))
}

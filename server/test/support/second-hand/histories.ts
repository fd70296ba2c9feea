import { randomUUID } from 'node:crypto'
import { activated } from '../gateways/purchases.ts'
import { bothParties, checkoutParty } from './checkout-party.ts'
import { DAY, type Purchase } from './facts.ts'
import { live } from './life.ts'
import { BEGIN, END, type Making, newMaking } from './making.ts'
import { stripeParty } from './stripe-party.ts'

/** What is sold, in centavos. `loja` sells at Stripe, `escola` at a checkout of its own. */
export const PRICES = {
  loja: { basic: 4_900, pro: 9_900, club: 39_900, vida: 99_900 },
  escola: { basico: 5_900, anual: 58_800, vitalicio: 120_000 },
  operator: { 'easy-standard': 4_900, 'easy-pro': 9_900, 'easy-enterprise': 29_900 },
} as const

export type Ids = Record<'loja' | 'escola', string>

/** The purchases of a seed: as many of each kind, at times and with fates by chance. */
export function makePurchases(seed: number, count: number, ids: Ids): Purchase[] {
  return Array.from({ length: count }, (_item, index) => {
    const making = newMaking(`s${seed}p${index}`, seed * 1_000 + index)
    const [product, make] = KINDS[index % KINDS.length] ?? atStripe
    make(making, ids)
    const { email, deliveries, opensWith } = making
    return { email, deliveries, opensWith, product }
  })
}

type Kind = readonly [product: Purchase['product'], make: (making: Making, ids: Ids) => void]

const { vida, ...MONTHLY } = PRICES.loja
const METHODS = [undefined, 'card', 'boleto', 'pix'] as const
const trial = ({ chance }: Making) => (chance.likely(0.2) ? 'with_a_trial' : undefined)

const inFormB: Kind = ['escola', (made, { escola }) => live(made, checkoutParty(made, 'B', escola), PRICES.escola, trial(made))]
const ofOperator: Kind = [null, (made) => live(made, checkoutParty(made, 'B'), PRICES.operator)]
/** Its subscription is known by its plan: another plan is another subscription. */
const inFormA: Kind = ['escola', (made, { escola }) => live(made, checkoutParty(made, 'A', escola), { anual: PRICES.escola.anual })]
const atStripe: Kind = ['loja', (made) => live(made, stripeParty(made, { methods: METHODS }), MONTHLY, trial(made))]
const foreign: Kind = ['loja', (made) => live(made, stripeParty(made, { currencies: ['usd', 'jpy', 'eur', 'kwd'] }), MONTHLY)]
const sale: Kind = ['loja', (made) => live(made, stripeParty(made, { currencies: ['brl', 'brl', 'jpy'], isSale: true }), { vida }, 'once')]
const both: Kind = ['loja', (made, { loja }) => live(made, bothParties(made, checkoutParty(made, 'B_over_stripe', loja)), MONTHLY)]
const granted: Kind = [
  'escola',
  ({ chance, moment, send }) => {
    const at = moment(BEGIN, END - 20 * DAY)
    const until = chance.likely(0.6) ? moment(at + 10 * DAY, at + 70 * DAY) : undefined
    const body = { action: 'grant', plan: 'anual', ...(until && { until: new Date(until).toISOString() }) }
    send('operator', at, body, { kind: 'granted', plan: 'anual', until })
  },
]
/** A test, and what nobody sells. */
const noPurchase: Kind = [
  null,
  ({ chance, moment, send, email }, { escola: product_id }) => {
    const at = moment(BEGIN, END - DAY)
    const wrong = chance.pick([{ name: 'basico', isTest: true }, { name: 'Nunca' }])
    send('checkout', at, activated({ email, id: randomUUID(), at: new Date(at).toISOString(), product_id, ...wrong }))
  },
]

const KINDS = [
  ...[inFormB, atStripe, sale, both, inFormA, atStripe, foreign, sale, ofOperator, both],
  ...[inFormB, atStripe, sale, granted, inFormA, foreign, both, sale, atStripe, noPurchase],
]

import type { Gateway } from '../../../src/products/index.ts'
import type { Features } from './any-history.ts'
import { openAsaas } from './asaas.ts'
import { openMercadoPago } from './mercadopago.ts'
import { openOwnCheckout, openOwnOverStripe } from './own-checkout.ts'
import { HOUR, MINUTE } from './simulation/simulation.ts'
import type { OpenSimulator } from './simulator.ts'
import { openStripe, STRIPE_REFS } from './stripe/stripe.ts'
import type { Blur } from './truth.ts'

/** A gateway, what its histories can be made of, and how far its times may be from the true ones. */
export interface Simulated {
  /** The operator's own checkout is none. */
  gateway?: Gateway
  open: OpenSimulator
  /** The gateway ids that the merchant has registered on the plans. */
  refs: { basic: readonly string[]; pro: readonly string[] }
  blur: Blur
  features: Features
}

const SHARP: Blur = { early: 10 * MINUTE, late: 10 * MINUTE }
/** Days, of which each gateway's own begins and ends elsewhere. */
const BY_DAYS: Blur = { early: 30 * HOUR, late: 30 * HOUR }

const ALL = ['subscribe', 'buy', 'break_card', 'pay_open', 'cancel', 'refund', 'dispute', 'decide'] as const

export const simulators = {
  stripe: {
    gateway: 'stripe',
    open: openStripe,
    refs: STRIPE_REFS,
    blur: SHARP,
    features: {
      actions: [...ALL, 'change_plan', 'resume', 'cancel_now', 'void'],
      trials: true,
      addOns: true,
      failedRefunds: true,
      unregistered: true,
      inquiries: true,
    },
  },
  asaas: {
    gateway: 'asaas',
    open: openAsaas,
    refs: { basic: [], pro: [] },
    blur: BY_DAYS,
    features: {
      actions: [...ALL, 'change_plan', 'pay_ahead', 'void'],
      billing: ['no_proration'],
      sameCycle: true,
    },
  },
  mercadopago: {
    gateway: 'mercadopago',
    open: openMercadoPago,
    refs: { basic: [], pro: [] },
    blur: SHARP,
    features: { actions: [...ALL, 'resume'], onlyCards: true },
  },
  'own checkout': {
    open: openOwnCheckout,
    refs: { basic: [], pro: [] },
    blur: SHARP,
    features: { actions: [...ALL, 'cancel_now', 'change_plan'] },
  },
  'own checkout over stripe': {
    gateway: 'stripe',
    open: openOwnOverStripe,
    refs: STRIPE_REFS,
    blur: SHARP,
    features: { actions: [...ALL, 'cancel_now', 'change_plan'], trials: true },
  },
} as const satisfies Record<string, Simulated>

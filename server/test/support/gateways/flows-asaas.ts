import assert from 'node:assert/strict'
import {
  BEHIND,
  BUYER,
  both,
  DAY,
  type Delivered,
  DISPUTED,
  edit,
  iso,
  LEAVING,
  type Moment,
  PAID,
  PENDING,
  partOf,
  type Step,
  unique,
  vector,
} from './flows.ts'

// Asaas's deliveries and answers, from samples of them, as if they were of now.

const CUSTOMER = 'cus_kOV4UNfRBTui'
const brazil = (at: number) => iso(at - 3 * 3_600_000).slice(0, 19)
/** The day as Asaas writes it, in Brazil: for three hours it is another one than in UTC. */
export const day = (at: number) => brazil(at).slice(0, 10)
const onDay = (n: number) => (moment: Moment) => day(moment.start + n * DAY)

/**
 * A charge, made on the first day: what it is like by now. Its sample shows fields together that exclude each other; those are left out.
 */
export type ChargeNow = (moment: Moment) => object

export const charge =
  (billingType: string, status: string, more: ChargeNow = () => ({})): ChargeNow =>
  (moment) => {
    const alone = { subscription: null, installment: null, paymentLink: null, chargeback: null, externalReference: 'curso' }
    const unpaid = { confirmedDate: null, paymentDate: null, clientPaymentDate: null, creditDate: null, status, billingType }
    const made = { id: 'pay_1', customer: CUSTOMER, dateCreated: day(moment.start), dueDate: onDay(3)(moment) }
    return Object(edit(partOf(vector('asaas/payment-received'), 'payment'), { ...alone, ...unpaid, ...made, ...more(moment) }))
  }
export const paidNow: ChargeNow = ({ at }) => ({ paymentDate: day(at), clientPaymentDate: day(at) })
export const confirmedNow: ChargeNow = ({ at }) => ({ confirmedDate: day(at), clientPaymentDate: day(at) })
export const confirmedAtOnce: ChargeNow = ({ start }) => ({ confirmedDate: day(start), clientPaymentDate: day(start) })

/** An event about a charge, which the API shows in the same state. */
export const asaas = (event: string, now: ChargeNow) => ({
  says: (moment: Moment) => {
    const shown = now(moment)
    return { [`/payments/${partOf(shown, 'id')}`]: shown, [`/customers/${CUSTOMER}`]: edit(vector('asaas/api.customer'), { email: BUYER }) }
  },
  delivers: [
    (moment: Moment): Delivered => ({
      body: { id: `evt_${unique()}&1`, event, dateCreated: brazil(moment.at).replace('T', ' '), payment: now(moment) },
    }),
  ],
})

export const card = (event: string, status: string, more: ChargeNow = confirmedAtOnce) => asaas(event, charge('CREDIT_CARD', status, more))

/** A charge of the subscription, due so many days after the flow began, beside all that it has by then: `[id, due, status]`. */
export const ofAsaas = (event: string, charges: ReadonlyArray<readonly [id: string, due: number, status: string]>, delivers: string) => {
  const now =
    ([id, due, status]: readonly [string, number, string]): ChargeNow =>
    (moment) => ({
      ...charge('BOLETO', status)(moment),
      ...(status === 'RECEIVED' && paidNow(moment)),
      id,
      dueDate: onDay(due)(moment),
      subscription: 'sub_1',
      externalReference: null,
    })
  const about = charges.find(([id]) => id === delivers)
  assert.ok(about)
  const subscription = ({ start }: Moment) => ({
    ...Object(partOf(vector('asaas/subscription-created'), 'subscription')),
    id: 'sub_1',
    customer: CUSTOMER,
    nextDueDate: day(start + 90 * DAY),
  })
  return both(asaas(event, now(about)), {
    says: (moment: Moment) => ({
      '/payments': { data: charges.map((each) => now(each)(moment)), hasMore: false },
      '/subscriptions/sub_1': subscription(moment),
    }),
    delivers: [],
  })
}

export const asaasSubscription = (event: string) => ({
  delivers: [
    ({ at, start }: Moment): Delivered => {
      const subscription = { id: 'sub_1', customer: CUSTOMER, nextDueDate: day(start + 90 * DAY) }
      return {
        body: edit(vector('asaas/subscription-created'), {
          id: `evt_${unique()}&1`,
          event,
          dateCreated: brazil(at).replace('T', ' '),
          subscription,
        }),
      }
    },
  ],
})

/** The subscription as its owner has changed it. */
export const changedAtAsaas = (status: string) =>
  both(
    { says: () => ({ '/subscriptions/sub_1': { id: 'sub_1', customer: CUSTOMER, status } }), delivers: [] },
    {
      says: () => ({}),
      delivers: asaasSubscription('SUBSCRIPTION_UPDATED').delivers,
    },
  )

/** One of the charges of a purchase that is paid in parts. */
export const part =
  (id: string, more: ChargeNow = confirmedAtOnce): ChargeNow =>
  (moment) => ({ ...more(moment), id, installment: 'ins_1' })

/** All parts of such a purchase, as they can be listed. */
export const parts = (ids: readonly string[]) => ({
  says: (moment: Moment) => ({
    '/payments': { data: ids.map((id) => part(id, charge('CREDIT_CARD', 'CONFIRMED', confirmedAtOnce))(moment)), hasMore: false },
  }),
  delivers: [],
})

/** Adds the API's answer about the subscription to the others. */
export const withSubscription = ({ says, delivers }: Required<Pick<Step, 'says' | 'delivers'>>, changes: (moment: Moment) => object) => ({
  says: (moment: Moment) => {
    const said = says(moment)
    return { ...said, '/subscriptions/sub_1': edit(partOf(said, '/subscriptions/sub_1'), changes(moment)) }
  },
  delivers,
})

export const firstPaid = [
  ['pay_1', 2, 'RECEIVED'],
  ['pay_2', 32, 'PENDING'],
] as const

export const secondPaid = [
  ['pay_1', 2, 'RECEIVED'],
  ['pay_2', 32, 'RECEIVED'],
  ['pay_3', 62, 'PENDING'],
] as const

export const longAtAsaas: Step[] = [
  { day: 0, ...ofAsaas('PAYMENT_CREATED', [['pay_1', 2, 'PENDING']], 'pay_1'), is: PENDING },
  {
    day: 1,
    ...ofAsaas(
      'PAYMENT_RECEIVED',
      [
        ['pay_1', 2, 'RECEIVED'],
        ['pay_2', 32, 'PENDING'],
      ],
      'pay_1',
    ),
    is: PAID,
  },
  {
    day: 34,
    ...ofAsaas(
      'PAYMENT_OVERDUE',
      [
        ['pay_1', 2, 'RECEIVED'],
        ['pay_2', 32, 'OVERDUE'],
      ],
      'pay_2',
    ),
    is: BEHIND,
  },
  {
    day: 35,
    ...ofAsaas(
      'PAYMENT_RECEIVED',
      [
        ['pay_1', 2, 'RECEIVED'],
        ['pay_2', 32, 'RECEIVED'],
        ['pay_3', 62, 'PENDING'],
      ],
      'pay_2',
    ),
    is: PAID,
  },
  { day: 36, ...ofAsaas('PAYMENT_CHARGEBACK_REQUESTED', [['pay_2', 32, 'CHARGEBACK_REQUESTED']], 'pay_2'), is: DISPUTED },
  { day: 40, ...ofAsaas('PAYMENT_AWAITING_CHARGEBACK_REVERSAL', [['pay_2', 32, 'AWAITING_CHARGEBACK_REVERSAL']], 'pay_2'), is: PAID },
  { day: 50, ...asaasSubscription('SUBSCRIPTION_DELETED'), is: LEAVING },
]

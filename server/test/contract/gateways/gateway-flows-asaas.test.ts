import { it } from 'node:test'
import { eachDatabase } from '../../support/databases.ts'
import {
  anyhow,
  BEHIND,
  both,
  CANCELED,
  DAY,
  DISPUTED,
  EXPIRED,
  edit,
  inOrder,
  LEAVING,
  LOST,
  type Moment,
  NOTHING,
  PAID,
  PENDING,
  REFUNDED,
  RUN_OUT,
  type Step,
  vector,
} from '../../support/gateways/flows.ts'
import {
  asaas,
  asaasSubscription,
  type ChargeNow,
  card,
  changedAtAsaas,
  charge,
  confirmedAtOnce,
  confirmedNow,
  day,
  firstPaid,
  longAtAsaas,
  ofAsaas,
  paidNow,
  part,
  parts,
  secondPaid,
  withSubscription,
} from '../../support/gateways/flows-asaas.ts'
import { startForSuite } from '../../support/service.ts'

eachDatabase('Every flow that Asaas documents, from the delivery to check-access', (database) => {
  const service = startForSuite(database)
  const run = (...steps: Step[]) => inOrder(service(), 'asaas', steps)

  const slip = (event: string, status: string, more: ChargeNow = () => ({})) => asaas(event, charge('BOLETO', status, more))

  it('a boleto is overdue, confirmed and received: paid once', () =>
    run(
      { day: 0, ...slip('PAYMENT_CREATED', 'PENDING'), is: PENDING },
      { day: 4, ...slip('PAYMENT_OVERDUE', 'OVERDUE'), is: PENDING },
      { day: 5, ...slip('PAYMENT_CONFIRMED', 'CONFIRMED', confirmedNow), is: PAID },
      { day: 6, ...slip('PAYMENT_RECEIVED', 'RECEIVED', paidNow), is: PAID },
    ))
  it('a PIX waits and is received', () =>
    run(
      { day: 0, ...asaas('PAYMENT_CREATED', charge('PIX', 'PENDING')), is: PENDING },
      { day: 0, ...asaas('PAYMENT_RECEIVED', charge('PIX', 'RECEIVED', paidNow)), is: PAID },
    ))
  it('a card gives access when it is confirmed; its money, 32 days later, is not a second purchase', () =>
    run(
      { day: 0, ...card('PAYMENT_CREATED', 'PENDING'), is: NOTHING },
      { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
      { day: 32, ...card('PAYMENT_RECEIVED', 'RECEIVED'), is: PAID },
      { day: 33, ...card('PAYMENT_REFUNDED', 'REFUNDED'), is: REFUNDED },
    ))
  it('the money of a card that comes after its refund grants nothing', () =>
    run(
      { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
      { day: 3, ...card('PAYMENT_REFUNDED', 'REFUNDED'), is: REFUNDED },
      { day: 32, ...card('PAYMENT_RECEIVED', 'RECEIVED'), is: REFUNDED },
    ))
  it('cash counts until it is undone, and the charge can be paid otherwise then', () =>
    run(
      { day: 0, ...slip('PAYMENT_CREATED', 'PENDING'), is: PENDING },
      { day: 1, ...asaas('PAYMENT_RECEIVED', charge('RECEIVED_IN_CASH', 'RECEIVED_IN_CASH', paidNow)), is: PAID },
      { day: 2, ...slip('PAYMENT_RECEIVED_IN_CASH_UNDONE', 'PENDING'), is: REFUNDED },
      { day: 3, ...slip('PAYMENT_RECEIVED', 'RECEIVED', paidNow), is: PAID },
    ))
  const cash = asaas('PAYMENT_RECEIVED', charge('RECEIVED_IN_CASH', 'RECEIVED_IN_CASH', paidNow))
  const cashUndone = slip('PAYMENT_RECEIVED_IN_CASH_UNDONE', 'PENDING')
  const cashAgain: Step[] = [
    { day: 1, ...cash, is: PAID },
    { day: 2, ...cashUndone, is: REFUNDED },
    { day: 3, ...cash, is: PAID },
    { day: 4, ...cashUndone, is: REFUNDED },
    { day: 5, ...cash, is: PAID },
  ]
  it('cash that is undone can be received again, as often as the owner errs, on the same day too', async () => {
    await run(...cashAgain)
    await run(...cashAgain.map((step) => ({ ...step, day: 1 })))
  })
  it('cash of a subscription that is undone and received again pays its month, and that of an older month says nothing of this one', () => {
    const month = (event: string, id: string, status: string, billingType = status) => {
      const now = charge(billingType, status, (moment) => ({ ...(status === 'PENDING' ? {} : paidNow(moment)), id, subscription: 'sub_1' }))
      const known = { '/payments': { data: [], hasMore: false }, '/subscriptions/sub_1': { id: 'sub_1', status: 'ACTIVE' } }
      const { says, delivers } = asaas(event, now)
      return { says: (moment: Moment) => ({ ...says(moment), ...known }), delivers }
    }
    const inCash = (id: string) => month('PAYMENT_RECEIVED', id, 'RECEIVED_IN_CASH')
    const undone = (id: string) => month('PAYMENT_RECEIVED_IN_CASH_UNDONE', id, 'PENDING', 'BOLETO')
    return run(
      { day: 1, ...inCash('pay_1'), is: PAID },
      { day: 2, ...undone('pay_1'), is: REFUNDED },
      { day: 3, ...inCash('pay_1'), is: PAID },
      { day: 30, ...inCash('pay_2'), is: PAID },
      { day: 31, ...undone('pay_1'), is: PAID },
      { day: 32, ...undone('pay_2'), is: REFUNDED },
    )
  })
  it('cash that is undone and received again, reversed and doubled, comes to the same', async () => {
    await anyhow(service(), 'asaas', cashAgain)
  })
  it('what takes back a payment that is known counts, whatever reference its charge has by then', async () => {
    const other: ChargeNow = (moment) => ({ ...confirmedAtOnce(moment), externalReference: 'Pedido 123 / NF 77' })
    await run(
      { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
      { day: 5, ...card('PAYMENT_CHARGEBACK_REQUESTED', 'CHARGEBACK_REQUESTED', other), is: DISPUTED },
      { day: 30, ...card('PAYMENT_AWAITING_CHARGEBACK_REVERSAL', 'AWAITING_CHARGEBACK_REVERSAL', other), is: PAID },
      { day: 40, ...card('PAYMENT_REFUNDED', 'REFUNDED', other), is: REFUNDED },
    )
  })
  it('a refund in part leaves the access, one in full ends it', () =>
    run(
      { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
      { day: 1, ...card('PAYMENT_PARTIALLY_REFUNDED', 'CONFIRMED'), is: PAID },
      { day: 2, ...card('PAYMENT_REFUNDED', 'REFUNDED'), is: REFUNDED },
    ))
  it('a chargeback that is contested and lost ends in a refund', () =>
    run(
      { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
      { day: 5, ...card('PAYMENT_CHARGEBACK_REQUESTED', 'CHARGEBACK_REQUESTED'), is: DISPUTED },
      { day: 6, ...card('PAYMENT_CHARGEBACK_DISPUTE', 'CHARGEBACK_DISPUTE'), is: DISPUTED },
      { day: 30, ...card('PAYMENT_REFUNDED', 'REFUNDED'), is: REFUNDED },
    ))
  it('a chargeback that is contested and won gives back the access', () =>
    run(
      { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
      { day: 5, ...card('PAYMENT_CHARGEBACK_REQUESTED', 'CHARGEBACK_REQUESTED'), is: DISPUTED },
      { day: 6, ...card('PAYMENT_CHARGEBACK_DISPUTE', 'CHARGEBACK_DISPUTE'), is: DISPUTED },
      { day: 30, ...card('PAYMENT_AWAITING_CHARGEBACK_REVERSAL', 'AWAITING_CHARGEBACK_REVERSAL'), is: PAID },
      { day: 33, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
    ))
  it('a charge that is first asked for after its chargeback was won is paid', () =>
    run({ day: 30, ...card('PAYMENT_AWAITING_CHARGEBACK_REVERSAL', 'AWAITING_CHARGEBACK_REVERSAL'), is: PAID }))
  it('a subscription that is deleted is paid until its next charge would have been due', () =>
    run(
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
      { day: 10, ...asaasSubscription('SUBSCRIPTION_DELETED'), is: LEAVING },
      { day: 31, is: LEAVING },
      { day: 34, is: CANCELED },
    ))
  it('a subscription whose charge is overdue has five days of grace', () =>
    run(
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
      { day: 36, is: BEHIND },
      { day: 39, is: LOST },
      {
        day: 40,
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
    ))
  it('a subscription that is inactivated stays paid like one that is deleted', () =>
    run(
      { day: 1, ...ofAsaas('PAYMENT_RECEIVED', firstPaid, 'pay_1'), is: PAID },
      { day: 10, ...asaasSubscription('SUBSCRIPTION_INACTIVATED'), is: LEAVING },
      { day: 34, is: CANCELED },
    ))
  it('a PIX that is overdue can still be received', () =>
    run(
      { day: 0, ...asaas('PAYMENT_CREATED', charge('PIX', 'PENDING')), is: PENDING },
      { day: 4, ...asaas('PAYMENT_OVERDUE', charge('PIX', 'OVERDUE')), is: PENDING },
      { day: 5, ...asaas('PAYMENT_RECEIVED', charge('PIX', 'RECEIVED', paidNow)), is: PAID },
    ))
  it('a charge that is removed expires, and waits again when it is restored', () =>
    run(
      { day: 0, ...slip('PAYMENT_CREATED', 'PENDING'), is: PENDING },
      { day: 1, ...slip('PAYMENT_DELETED', 'PENDING', () => ({ deleted: true })), is: EXPIRED },
      { day: 2, ...slip('PAYMENT_RESTORED', 'PENDING'), is: PENDING },
      { day: 3, ...slip('PAYMENT_RECEIVED', 'RECEIVED', paidNow), is: PAID },
    ))
  it('a debit card gives access when it is confirmed, three days before its money', () =>
    run(
      { day: 0, ...asaas('PAYMENT_CONFIRMED', charge('DEBIT_CARD', 'CONFIRMED', confirmedAtOnce)), is: PAID },
      { day: 3, ...asaas('PAYMENT_RECEIVED', charge('DEBIT_CARD', 'RECEIVED', confirmedAtOnce)), is: PAID },
    ))
  it('what only reports progress, or a checkout, gives nothing', () =>
    run(
      { day: 0, ...card('PAYMENT_AWAITING_RISK_ANALYSIS', 'AWAITING_RISK_ANALYSIS', () => ({})), is: NOTHING },
      { day: 0, delivers: [() => ({ body: vector('asaas/checkout-created.truncated') })], is: NOTHING },
      { day: 1, ...card('PAYMENT_CONFIRMED', 'CONFIRMED', confirmedNow), is: PAID },
    ))
  it('a transfer into the account is a charge too, and buys nothing', () =>
    run({
      day: 0,
      ...asaas(
        'PAYMENT_RECEIVED',
        charge('PIX', 'RECEIVED', (moment) => ({ ...paidNow(moment), externalReference: null })),
      ),
      is: NOTHING,
    }))
  it('a card that is looked into first gives access when it is confirmed', () =>
    run(
      { day: 0, ...card('PAYMENT_AWAITING_RISK_ANALYSIS', 'AWAITING_RISK_ANALYSIS', () => ({})), is: NOTHING },
      { day: 1, ...card('PAYMENT_APPROVED_BY_RISK_ANALYSIS', 'CONFIRMED', confirmedNow), is: NOTHING },
      { day: 1, ...card('PAYMENT_CONFIRMED', 'CONFIRMED', confirmedNow), is: PAID },
      { day: 2, ...card('PAYMENT_ANTICIPATED', 'CONFIRMED', confirmedAtOnce), is: PAID },
    ))
  it('a month whose card is refused, or not believed, is past due in grace, and paid again', async () => {
    for (const event of ['PAYMENT_CREDIT_CARD_CAPTURE_REFUSED', 'PAYMENT_REPROVED_BY_RISK_ANALYSIS'])
      await run(
        { day: 1, ...ofAsaas('PAYMENT_RECEIVED', firstPaid, 'pay_1'), is: PAID },
        { day: 34, ...ofAsaas(event, firstPaid, 'pay_2'), is: BEHIND },
        { day: 35, ...ofAsaas('PAYMENT_RECEIVED', secondPaid, 'pay_2'), is: PAID },
      )
  })
  it('a subscription that is made inactive by an update is not renewed, and is again when it is made active', () =>
    run(
      { day: 1, ...ofAsaas('PAYMENT_RECEIVED', firstPaid, 'pay_1'), is: PAID },
      { day: 10, ...changedAtAsaas('INACTIVE'), is: LEAVING },
      { day: 12, ...changedAtAsaas('ACTIVE'), is: PAID },
    ))
  it('the parts of one purchase belong together: one that is overdue puts it behind, and its payment makes it whole', () =>
    run(
      { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED', part('pay_1')), is: PAID },
      { day: 31, ...slip('PAYMENT_OVERDUE', 'OVERDUE', part('pay_2')), is: BEHIND },
      { day: 32, ...slip('PAYMENT_RECEIVED', 'RECEIVED', part('pay_2', paidNow)), is: PAID },
    ))
  it('what is sold by a payment link is the product’s only plan', () =>
    run({
      day: 0,
      ...asaas(
        'PAYMENT_RECEIVED',
        charge('PIX', 'RECEIVED', (moment) => ({ ...paidNow(moment), externalReference: null, paymentLink: 'link123' })),
      ),
      is: PAID,
    }))
  it('a refund under way leaves the access, and a chargeback that nobody contests ends in a refund', () =>
    run(
      { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
      { day: 1, ...card('PAYMENT_REFUND_IN_PROGRESS', 'REFUND_IN_PROGRESS'), is: PAID },
      { day: 5, ...card('PAYMENT_CHARGEBACK_REQUESTED', 'CHARGEBACK_REQUESTED'), is: DISPUTED },
      { day: 20, ...card('PAYMENT_REFUNDED', 'REFUNDED'), is: REFUNDED },
    ))
  it('views, splits, dunning, checkouts and mandates are received and do nothing', () =>
    run(
      { day: 0, ...slip('PAYMENT_CREATED', 'PENDING'), is: PENDING },
      {
        day: 1,
        delivers: [
          ...['BANK_SLIP_VIEWED', 'CHECKOUT_VIEWED', 'SPLIT_CANCELLED', 'SPLIT_DIVERGENCE_BLOCK', 'DUNNING_REQUESTED'].flatMap(
            (status) => slip(`PAYMENT_${status}`, 'PENDING').delivers,
          ),
          ...['CHECKOUT_CANCELED', 'CHECKOUT_EXPIRED', 'CHECKOUT_PAID'].map((event) => () => ({
            body: edit(vector('asaas/checkout-created.truncated'), { id: `evt_${event}&1`, event }),
          })),
          () => ({ body: { id: 'evt_pix&1', event: 'PIX_AUTOMATIC_RECURRING_AUTHORIZATION_CREATED', authorization: { id: 'a' } } }),
          ...asaasSubscription('SUBSCRIPTION_SPLIT_DIVERGENCE_BLOCK').delivers,
          ...asaasSubscription('SUBSCRIPTION_CREATED').delivers,
        ],
        is: PENDING,
      },
    ))
  const alone = (event: string, status: string, subscription: object, charges = [['pay_1', 2, status]] as const) =>
    withSubscription(ofAsaas(event, charges, 'pay_1'), ({ start }) => ({
      nextDueDate: day(start + 2 * DAY),
      ...subscription,
    }))
  it('M3: a month that no later charge ends is as long as the cycle, at cancellation and after the last charge', async () => {
    const last: Step = { day: 1, ...alone('PAYMENT_RECEIVED', 'RECEIVED', { cycle: 'MONTHLY', status: 'EXPIRED' }), is: PAID }
    await run(
      last,
      { day: 10, ...asaasSubscription('SUBSCRIPTION_DELETED'), is: LEAVING },
      { day: 28, is: LEAVING },
      { day: 35, is: CANCELED },
    )
    await run(last, { day: 28, is: PAID }, { day: 45, is: EXPIRED })
    await anyhow(service(), 'asaas', [last, { day: 10, ...asaasSubscription('SUBSCRIPTION_DELETED'), is: LEAVING }])
  })
  it('H2: an older charge that is paid late, when a later one is paid, changes nothing', async () => {
    const late = [
      ['pay_1', 2, 'RECEIVED'],
      ['pay_2', 32, 'OVERDUE'],
      ['pay_3', 62, 'RECEIVED'],
      ['pay_4', 92, 'PENDING'],
    ] as const
    const all = [
      ['pay_1', 2, 'RECEIVED'],
      ['pay_2', 32, 'RECEIVED'],
      ['pay_3', 62, 'RECEIVED'],
      ['pay_4', 92, 'PENDING'],
    ] as const
    await run(
      { day: 1, ...ofAsaas('PAYMENT_RECEIVED', firstPaid, 'pay_1'), is: PAID },
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
      { day: 61, ...ofAsaas('PAYMENT_RECEIVED', late, 'pay_3'), is: PAID },
      { day: 63, ...ofAsaas('PAYMENT_RECEIVED', all, 'pay_2'), is: PAID },
      { day: 89, is: PAID },
      { day: 99, is: EXPIRED },
    )
  })
  it('L4: a future charge that is deleted takes nothing from the month that is paid', () =>
    run(
      { day: 1, ...ofAsaas('PAYMENT_RECEIVED', firstPaid, 'pay_1'), is: PAID },
      { day: 10, ...ofAsaas('PAYMENT_DELETED', firstPaid, 'pay_2'), is: PAID },
      { day: 31, is: PAID },
    ))
  it('L6: a debt that was collected is paid', async () => {
    const debt: Step[] = [
      { day: 1, ...ofAsaas('PAYMENT_RECEIVED', firstPaid, 'pay_1'), is: PAID },
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
          'PAYMENT_DUNNING_REQUESTED',
          [
            ['pay_1', 2, 'RECEIVED'],
            ['pay_2', 32, 'DUNNING_REQUESTED'],
          ],
          'pay_2',
        ),
        is: BEHIND,
      },
      {
        day: 50,
        ...ofAsaas(
          'PAYMENT_DUNNING_RECEIVED',
          [
            ['pay_1', 2, 'RECEIVED'],
            ['pay_2', 32, 'DUNNING_RECEIVED'],
            ['pay_3', 62, 'PENDING'],
          ],
          'pay_2',
        ),
        is: PAID,
      },
    ]
    await anyhow(service(), 'asaas', debt)
  })
  it('L6: a due date that is moved moves the end of what was paid before it', async () => {
    const moved = [
      ['pay_1', 2, 'RECEIVED'],
      ['pay_2', 50, 'PENDING'],
    ] as const
    await run(
      { day: 1, ...ofAsaas('PAYMENT_RECEIVED', firstPaid, 'pay_1'), is: PAID },
      { day: 20, ...ofAsaas('PAYMENT_UPDATED', moved, 'pay_2'), is: PAID },
      { day: 49, is: PAID },
      { day: 59, is: EXPIRED },
    )
  })
  const movedTo = (dueDay: number, status = 'PENDING') =>
    ofAsaas(
      'PAYMENT_UPDATED',
      [
        ['pay_1', 2, 'RECEIVED'],
        ['pay_2', dueDay, status],
      ],
      'pay_2',
    )
  const movedBack: Step[] = [
    { day: 1, ...ofAsaas('PAYMENT_RECEIVED', firstPaid, 'pay_1'), is: PAID },
    { day: 10, ...movedTo(62), is: PAID },
    { day: 20, ...movedTo(32), is: PAID },
  ]
  it('a due date that is moved back moves the end back, in any order', async () => {
    await run(...movedBack, { day: 31, is: PAID }, { day: 34, is: RUN_OUT }, { day: 39, is: EXPIRED })
    await anyhow(service(), 'asaas', [...movedBack, { day: 34, is: RUN_OUT }])
  })
  it('a due date that is moved to an earlier day ends what was paid before it on that day', () =>
    run(
      { day: 1, ...ofAsaas('PAYMENT_RECEIVED', firstPaid, 'pay_1'), is: PAID },
      { day: 10, ...movedTo(20), is: PAID },
      { day: 22, is: RUN_OUT },
      { day: 27, is: EXPIRED },
    ))
  it('a due date that is moved back counts also where its charge is overdue by the time that it is looked into', () =>
    run(
      { day: 1, ...ofAsaas('PAYMENT_RECEIVED', firstPaid, 'pay_1'), is: PAID },
      { day: 10, ...movedTo(62), is: PAID },
      { day: 34, ...movedTo(32, 'OVERDUE'), is: BEHIND },
      { day: 39, is: LOST },
    ))
  it('L6: a chargeback of some parts of a purchase takes its access, and a refund of one part leaves it', async () => {
    const all = parts(['pay_1', 'pay_2', 'pay_3'])
    const confirmed = (id: string) => both(all, card('PAYMENT_CONFIRMED', 'CONFIRMED', part(id)))
    const delivers = (event: string, status: string, id: string) => both(all, card(event, status, part(id)))
    const bought: Step[] = ['pay_1', 'pay_2', 'pay_3'].map((id) => ({ day: 0, ...confirmed(id), is: PAID }))
    await anyhow(service(), 'asaas', [
      ...bought,
      { day: 5, ...delivers('PAYMENT_CHARGEBACK_REQUESTED', 'CHARGEBACK_REQUESTED', 'pay_1'), is: DISPUTED },
      { day: 5, ...delivers('PAYMENT_CHARGEBACK_REQUESTED', 'CHARGEBACK_REQUESTED', 'pay_2'), is: DISPUTED },
    ])
    await run(
      ...bought,
      { day: 5, ...delivers('PAYMENT_REFUNDED', 'REFUNDED', 'pay_3'), is: PAID },
      { day: 6, ...delivers('PAYMENT_REFUNDED', 'REFUNDED', 'pay_1'), is: PAID },
      { day: 7, ...delivers('PAYMENT_REFUNDED', 'REFUNDED', 'pay_2'), is: REFUNDED },
    )
  })
  it('a long flow of Asaas, reversed and doubled, comes to the same', async () => {
    await anyhow(service(), 'asaas', longAtAsaas)
  })
})

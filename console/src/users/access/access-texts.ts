import { defineTexts } from '../../i18n/use-texts.ts'
import type { AccessReason } from './access.ts'
import type { ReasonFacts } from './access-sentence.ts'

type Reasons = Readonly<Record<AccessReason, (facts: ReasonFacts) => string>>

/** A text with a day after it, where one is known. */
const on = (preposition: string) => (text: string, day: string | undefined) => (day === undefined ? text : `${text} ${preposition} ${day}`)

const [em, onDay, el] = [on('em'), on('on'), on('el')]

const ptBR: Reasons = {
  paid: ({ event, byOperator, day }) => {
    if (event === 'granted') return em(byOperator ? 'acesso concedido pela operação' : 'acesso concedido', day)
    return em(event === 'payment_waived' ? 'cobrança dispensada' : 'paga', day)
  },
  in_grace: ({ event, day, end, grace }) => {
    const late =
      event === null ? em('o que foi pago acabou', end) : em(event === 'payment_failed' ? 'pagamento recusado' : 'cobrança não paga', day)
    return grace === undefined ? `${late}; em tolerância` : `${late}; tolerância até ${grace}`
  },
  paid_until_period_end: ({ event, day, end }) => {
    const stopped = em(event === 'ended' ? 'encerrada' : 'cancelada', day)
    return end === undefined ? stopped : `${stopped}; o que foi pago vale até ${end}`
  },
  no_subscription: () => 'nada comprado',
  payment_pending: ({ day }) => (day === undefined ? 'aguardando pagamento' : `aguardando pagamento desde ${day}`),
  past_due: ({ event, day, grace }) => {
    const late = em(event === 'payment_failed' ? 'pagamento recusado' : event === null ? 'pagamento atrasado' : 'cobrança não paga', day)
    return grace === undefined ? late : `${late}; a tolerância acabou em ${grace}`
  },
  expired: ({ event, day, end, grace }) => {
    if (event !== null) return em('a cobrança venceu sem pagamento', day)
    const over = em('o que foi pago acabou', end)
    return grace === undefined ? over : `${over}, e a tolerância em ${grace}`
  },
  canceled: ({ event, byOperator, day }) =>
    em(`${event === 'ended' ? 'encerrada' : 'cancelada'}${byOperator ? ' pela operação' : ''}`, day),
  refunded: ({ event, byOperator, day }) => {
    if (event === 'dispute_lost') return em('contestação perdida', day)
    if (event === 'payment_undone') return em('pagamento desfeito', day)
    return em(byOperator ? 'reembolsada pela operação' : 'reembolsada', day)
  },
  disputed: ({ day }) => em('pagamento contestado', day),
  linked_to_another_user: () => 'vinculada a outra pessoa',
}

const en: Reasons = {
  paid: ({ event, byOperator, day }) => {
    if (event === 'granted') return onDay(byOperator ? 'access granted by the operator' : 'access granted', day)
    return onDay(event === 'payment_waived' ? 'charge waived' : 'paid', day)
  },
  in_grace: ({ event, day, end, grace }) => {
    const late =
      event === null ? onDay('what was paid ran out', end) : onDay(event === 'payment_failed' ? 'payment declined' : 'charge not paid', day)
    return grace === undefined ? `${late}; in grace` : `${late}; grace until ${grace}`
  },
  paid_until_period_end: ({ event, day, end }) => {
    const stopped = onDay(event === 'ended' ? 'ended' : 'cancelled', day)
    return end === undefined ? stopped : `${stopped}; what was paid is valid until ${end}`
  },
  no_subscription: () => 'nothing bought',
  payment_pending: ({ day }) => (day === undefined ? 'awaiting payment' : `awaiting payment since ${day}`),
  past_due: ({ event, day, grace }) => {
    const late = onDay(event === 'payment_failed' ? 'payment declined' : event === null ? 'payment late' : 'charge not paid', day)
    return grace === undefined ? late : `${late}; grace ended on ${grace}`
  },
  expired: ({ event, day, end, grace }) => {
    if (event !== null) return onDay('the charge expired unpaid', day)
    const over = onDay('what was paid ran out', end)
    return grace === undefined ? over : `${over}, and grace on ${grace}`
  },
  canceled: ({ event, byOperator, day }) =>
    onDay(`${event === 'ended' ? 'ended' : 'cancelled'}${byOperator ? ' by the operator' : ''}`, day),
  refunded: ({ event, byOperator, day }) => {
    if (event === 'dispute_lost') return onDay('dispute lost', day)
    if (event === 'payment_undone') return onDay('payment reversed', day)
    return onDay(byOperator ? 'refunded by the operator' : 'refunded', day)
  },
  disputed: ({ day }) => onDay('payment disputed', day),
  linked_to_another_user: () => 'linked to another user',
}

const es: Reasons = {
  paid: ({ event, byOperator, day }) => {
    if (event === 'granted') return el(byOperator ? 'acceso concedido por la operación' : 'acceso concedido', day)
    return el(event === 'payment_waived' ? 'cobro condonado' : 'pagada', day)
  },
  in_grace: ({ event, day, end, grace }) => {
    const late = event === null ? el('lo pagado terminó', end) : el(event === 'payment_failed' ? 'pago rechazado' : 'cobro sin pagar', day)
    return grace === undefined ? `${late}; en tolerancia` : `${late}; tolerancia hasta el ${grace}`
  },
  paid_until_period_end: ({ event, day, end }) => {
    const stopped = el(event === 'ended' ? 'terminada' : 'cancelada', day)
    return end === undefined ? stopped : `${stopped}; lo pagado vale hasta el ${end}`
  },
  no_subscription: () => 'nada comprado',
  payment_pending: ({ day }) => (day === undefined ? 'se espera el pago' : `se espera el pago desde el ${day}`),
  past_due: ({ event, day, grace }) => {
    const late = el(event === 'payment_failed' ? 'pago rechazado' : event === null ? 'pago atrasado' : 'cobro sin pagar', day)
    return grace === undefined ? late : `${late}; la tolerancia terminó el ${grace}`
  },
  expired: ({ event, day, end, grace }) => {
    if (event !== null) return el('el cobro venció sin pagarse', day)
    const over = el('lo pagado terminó', end)
    return grace === undefined ? over : `${over}, y la tolerancia el ${grace}`
  },
  canceled: ({ event, byOperator, day }) =>
    el(`${event === 'ended' ? 'terminada' : 'cancelada'}${byOperator ? ' por la operación' : ''}`, day),
  refunded: ({ event, byOperator, day }) => {
    if (event === 'dispute_lost') return el('disputa perdida', day)
    if (event === 'payment_undone') return el('pago anulado', day)
    return el(byOperator ? 'reembolsada por la operación' : 'reembolsada', day)
  },
  disputed: ({ day }) => el('pago disputado', day),
  linked_to_another_user: () => 'vinculada a otra persona',
}

/** A user's access: why there is some or none, by the service's reasons, and what may be theirs. */
export const accessTexts = defineTexts({
  'pt-BR': {
    title: 'Acesso',
    nothing: 'Sem acesso: esta pessoa não comprou nada.',
    locked: 'A conta está bloqueada: os apps recebem “sem acesso”, mesmo que haja algo pago.',
    unverified: 'O e-mail não foi confirmado. Compras feitas com ele são vinculadas à pessoa assim que ela o confirmar.',
    operatorPlans: 'Todos os apps',
    noPlan: 'sem plano',
    paidUntil: (day: string) => `Pago até ${day}`,
    givenUntil: (day: string) => `Vale até ${day}`,
    others: (count: number) =>
      count === 1 ? 'mais 1 assinatura, que não muda o acesso' : `mais ${count} assinaturas, que não mudam o acesso`,
    toSubscription: 'Ver a assinatura',
    toNotification: 'Ver a notificação',
    unlinked: 'Compras que podem ser desta pessoa',
    boughtWith: 'Comprada com',
    ofOther: 'É de',
    unlinkedByOperator: 'Desvinculada pela operação',
    waiting: 'Notificações não resolvidas',
    received: 'Recebida em',
    reasons: ptBR,
  },
  en: {
    title: 'Access',
    nothing: 'No access: this user has not bought anything.',
    locked: 'The account is locked: apps get “no access”, even if something was paid.',
    unverified: 'The email is not confirmed. Purchases made with it are linked to the user as soon as they confirm it.',
    operatorPlans: 'All apps',
    noPlan: 'no plan',
    paidUntil: (day: string) => `Paid until ${day}`,
    givenUntil: (day: string) => `Valid until ${day}`,
    others: (count: number) =>
      count === 1 ? '1 more subscription, which does not affect access' : `${count} more subscriptions, which do not affect access`,
    toSubscription: 'Show the subscription',
    toNotification: 'Show the notification',
    unlinked: 'Purchases that may belong to this user',
    boughtWith: 'Bought with',
    ofOther: 'It belongs to',
    unlinkedByOperator: 'Unlinked by the operator',
    waiting: 'Unresolved notifications',
    received: 'Received on',
    reasons: en,
  },
  es: {
    title: 'Acceso',
    nothing: 'Sin acceso: esta persona no ha comprado nada.',
    locked: 'La cuenta está bloqueada: las apps reciben “sin acceso”, aunque haya algo pagado.',
    unverified: 'El correo no está confirmado. Las compras hechas con él se vinculan a la persona en cuanto lo confirme.',
    operatorPlans: 'Todas las apps',
    noPlan: 'sin plan',
    paidUntil: (day: string) => `Pagado hasta el ${day}`,
    givenUntil: (day: string) => `Válido hasta el ${day}`,
    others: (count: number) =>
      count === 1 ? '1 suscripción más, que no cambia el acceso' : `${count} suscripciones más, que no cambian el acceso`,
    toSubscription: 'Ver la suscripción',
    toNotification: 'Ver la notificación',
    unlinked: 'Compras que pueden ser de esta persona',
    boughtWith: 'Comprada con',
    ofOther: 'Es de',
    unlinkedByOperator: 'Desvinculada por la operación',
    waiting: 'Notificaciones sin resolver',
    received: 'Recibida el',
    reasons: es,
  },
})

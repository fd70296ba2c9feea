import { defineTexts } from '../../i18n/use-texts.ts'

interface Money {
  received: string
  refunded: string
  disputed: string
}

export const figureTexts = defineTexts({
  'pt-BR': {
    figures: {
      active: 'Assinaturas ativas',
      mrr: 'Receita mensal recorrente',
      net: 'Recebido menos devolvido',
      new: 'Novas',
      lost: 'Perdidas',
      sign_ins: 'Entradas',
      failed_sign_ins: 'Entradas recusadas',
      new_users: 'Pessoas novas',
      failed_notifications: 'Notificações paradas',
    },
    received: 'Recebido',
    period: ({ days, before, zone }: { days: string; before: string; zone: string }) => `${days}. Antes: ${before}. Fuso horário: ${zone}.`,
    counting: 'Algumas compras ainda estão sendo contadas. Os números mudam em instantes.',
    open: (label: string, value: string) => `${label}: ${value}. Abrir a lista`,
    before: (value: string) => `antes: ${value}`,
    byDay: (label: string) => `${label} por dia`,
    noDays: 'Este mês ainda não começou',
    stands: ({ paid, trial, granted }: Record<'paid' | 'trial' | 'granted', string>) =>
      `${paid} pagas, ${trial} em período grátis, ${granted} de cortesia`,
    unpriced: (count: number, text: string) =>
      count === 1 ? '1 paga está fora: valor ou prazo desconhecido' : `${text} pagas estão fora: valor ou prazo desconhecido`,
    perMonth: 'O que as assinaturas pagas valem por mês',
    money: ({ received, refunded, disputed }: Money) =>
      `Recebido ${received}, reembolsado ${refunded}, perdido em contestações ${disputed}`,
    withoutAmount: (count: number, text: string) =>
      count === 1
        ? '1 pagamento fora da conta: valor desconhecido ou outra moeda'
        : `${text} pagamentos fora da conta: valor desconhecido ou outra moeda`,
    returned: (count: number, text: string) =>
      count === 0 ? 'Pagaram pela primeira vez' : `Pagaram pela primeira vez; além delas, ${count === 1 ? '1 voltou' : `${text} voltaram`}`,
    lostAre: 'Não renovadas, encerradas, reembolsadas ou contestadas. Listas:',
    signInsAre: 'De todas as pessoas, com senha, passkey ou provedor',
    failedAre: 'Os motivos estão na tabela abaixo',
    newUsersAre: 'Contas criadas',
    stuckAre: 'Listas:',
    unresolved: 'não resolvidas',
    failed: 'com falha',
    canceled: 'canceladas',
    refundedOnes: 'reembolsadas',
    plans: 'Por plano',
    noPlans: 'Nenhuma assinatura neste mês nem no anterior.',
    plan: 'Plano',
    product: 'Produto',
    noPlan: 'Plano desconhecido',
    ofOperator: 'todos',
    kinds: 'Entradas recusadas, por motivo',
    noKinds: 'Nenhuma entrada recusada neste mês nem no anterior.',
    kind: 'Motivo',
    now: 'Agora',
    former: 'Antes',
    table: 'Ver os números de cada dia em tabela',
    tableOf: 'Números por dia',
    day: 'Dia',
  },
  en: {
    figures: {
      active: 'Active subscriptions',
      mrr: 'Monthly recurring revenue',
      net: 'Received minus refunded',
      new: 'New',
      lost: 'Lost',
      sign_ins: 'Sign-ins',
      failed_sign_ins: 'Refused sign-ins',
      new_users: 'New users',
      failed_notifications: 'Stuck notifications',
    },
    received: 'Received',
    period: ({ days, before, zone }: { days: string; before: string; zone: string }) => `${days}. Before: ${before}. Time zone: ${zone}.`,
    counting: 'Some purchases are still being counted. The figures will change in a moment.',
    open: (label: string, value: string) => `${label}: ${value}. Open the list`,
    before: (value: string) => `before: ${value}`,
    byDay: (label: string) => `${label} by day`,
    noDays: 'This month has not started yet',
    stands: ({ paid, trial, granted }: Record<'paid' | 'trial' | 'granted', string>) =>
      `${paid} paid, ${trial} on trial, ${granted} granted`,
    unpriced: (count: number, text: string) =>
      count === 1 ? '1 paid one is left out: amount or period unknown' : `${text} paid ones are left out: amount or period unknown`,
    perMonth: 'What the paid subscriptions are worth per month',
    money: ({ received, refunded, disputed }: Money) => `Received ${received}, refunded ${refunded}, lost in disputes ${disputed}`,
    withoutAmount: (count: number, text: string) =>
      count === 1
        ? '1 payment is left out: amount unknown or another currency'
        : `${text} payments are left out: amount unknown or another currency`,
    returned: (count: number, text: string) =>
      count === 0 ? 'Paid for the first time' : `Paid for the first time; ${text} more came back`,
    lostAre: 'Not renewed, ended, refunded or disputed. Lists:',
    signInsAre: 'Of all users, by password, passkey or provider',
    failedAre: 'The reasons are in the table below',
    newUsersAre: 'New accounts',
    stuckAre: 'Lists:',
    unresolved: 'unresolved',
    failed: 'failed',
    canceled: 'canceled',
    refundedOnes: 'refunded',
    plans: 'By plan',
    noPlans: 'No subscriptions in this month or the one before.',
    plan: 'Plan',
    product: 'Product',
    noPlan: 'Unknown plan',
    ofOperator: 'all',
    kinds: 'Refused sign-ins by reason',
    noKinds: 'No sign-in was refused in this month or the one before.',
    kind: 'Reason',
    now: 'Now',
    former: 'Before',
    table: 'Show daily figures as a table',
    tableOf: 'Figures by day',
    day: 'Day',
  },
  es: {
    figures: {
      active: 'Suscripciones activas',
      mrr: 'Ingreso mensual recurrente',
      net: 'Recibido menos devuelto',
      new: 'Nuevas',
      lost: 'Perdidas',
      sign_ins: 'Inicios de sesión',
      failed_sign_ins: 'Inicios rechazados',
      new_users: 'Personas nuevas',
      failed_notifications: 'Notificaciones detenidas',
    },
    received: 'Recibido',
    period: ({ days, before, zone }: { days: string; before: string; zone: string }) => `${days}. Antes: ${before}. Zona horaria: ${zone}.`,
    counting: 'Algunas compras aún se están contando. Las cifras cambian en unos instantes.',
    open: (label: string, value: string) => `${label}: ${value}. Abrir la lista`,
    before: (value: string) => `antes: ${value}`,
    byDay: (label: string) => `${label} por día`,
    noDays: 'Este mes aún no ha empezado',
    stands: ({ paid, trial, granted }: Record<'paid' | 'trial' | 'granted', string>) =>
      `${paid} pagadas, ${trial} en período gratuito, ${granted} de cortesía`,
    unpriced: (count: number, text: string) =>
      count === 1 ? '1 pagada queda fuera: importe o plazo desconocido' : `${text} pagadas quedan fuera: importe o plazo desconocido`,
    perMonth: 'Lo que valen al mes las suscripciones pagadas',
    money: ({ received, refunded, disputed }: Money) => `Recibido ${received}, reembolsado ${refunded}, perdido en disputas ${disputed}`,
    withoutAmount: (count: number, text: string) =>
      count === 1
        ? '1 pago queda fuera: importe desconocido u otra moneda'
        : `${text} pagos quedan fuera: importe desconocido u otra moneda`,
    returned: (count: number, text: string) =>
      count === 0 ? 'Pagaron por primera vez' : `Pagaron por primera vez; además ${count === 1 ? 'volvió 1' : `volvieron ${text}`}`,
    lostAre: 'No renovadas, terminadas, reembolsadas o disputadas. Listas:',
    signInsAre: 'De todas las personas, con contraseña, passkey o proveedor',
    failedAre: 'Los motivos están en la tabla de abajo',
    newUsersAre: 'Cuentas creadas',
    stuckAre: 'Listas:',
    unresolved: 'sin resolver',
    failed: 'con error',
    canceled: 'canceladas',
    refundedOnes: 'reembolsadas',
    plans: 'Por plan',
    noPlans: 'Ninguna suscripción en este mes ni en el anterior.',
    plan: 'Plan',
    product: 'Producto',
    noPlan: 'Plan desconocido',
    ofOperator: 'todos',
    kinds: 'Inicios rechazados, por motivo',
    noKinds: 'Ningún inicio de sesión rechazado en este mes ni en el anterior.',
    kind: 'Motivo',
    now: 'Ahora',
    former: 'Antes',
    table: 'Ver las cifras de cada día en una tabla',
    tableOf: 'Cifras por día',
    day: 'Día',
  },
})

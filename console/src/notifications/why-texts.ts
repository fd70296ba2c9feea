import { defineTexts } from '../i18n/use-texts.ts'

/** Why a notification is not processed: a few words for lists, and a sentence with what to do. */
export const whyTexts = defineTexts({
  'pt-BR': {
    short: {
      unknown_plan: 'Plano desconhecido',
      ambiguous_plan: 'Mais de um plano serve',
      unusable_address: 'E-mail que não serve',
      unexpected_amount: 'Valor abaixo do preço',
      unknown_payment: 'Pagamento desconhecido',
      payment_not_received: 'O pagamento nunca chegou',
      duplicate: 'Já contado por outra',
      awaits_purchase: 'Aguarda a compra',
      awaiting_gateway: 'Aguarda o meio de pagamento',
      job_removed: 'Tarefa descartada',
      buyer_forgotten: 'Dados excluídos',
    },
    sentence: {
      unknown_plan: 'Ela nomeia um plano que não existe aqui. Crie o plano e processe de novo, ou diga qual plano foi comprado.',
      ambiguous_plan: 'Mais de um plano corresponde ao que foi comprado. Diga qual é.',
      unusable_address: 'O e-mail que veio não pode ser o de uma conta. Informe o e-mail de quem comprou.',
      unexpected_amount:
        'Foi pago menos que o preço, e o plano só é vendido pelo preço. Se ainda assim a compra vale, resolva dizendo o plano; se não, ignore e devolva o dinheiro no meio de pagamento.',
      unknown_payment: 'Ela fala de um pagamento, ou de uma assinatura, que não foi visto aqui. Se ele chegar, isto se resolve sozinho.',
      payment_not_received:
        'Ela fala de um pagamento, ou de uma assinatura, que não chegou aqui em 180 dias: deve ser de outra loja com a mesma conta. Não há nada a fazer.',
      duplicate: 'Outra notificação conta o mesmo pagamento: é nela que se decide.',
      awaits_purchase:
        'Ela fala de um pagamento que ainda não chegou aqui. Está guardada, e passa a valer quando a compra chegar. Não há nada a fazer.',
      awaiting_gateway: 'O serviço está perguntando os detalhes ao meio de pagamento. Por enquanto não há nada a fazer.',
      job_removed: 'Alguém descartou a tarefa que consultaria o meio de pagamento. Processe de novo para consultar, ou ignore.',
      buyer_forgotten: 'A pessoa pediu a exclusão dos seus dados, e o que estava pendente foi encerrado.',
    },
    processed: 'Foi verificada e aplicada à assinatura.',
    test: 'Foi um teste: fica registrada e não dá acesso a ninguém.',
    ignored: 'Não há nada a fazer com notificações deste tipo.',
    ignoredBy: (reason: string) => `Um administrador decidiu que não há nada a fazer. Motivo: ${reason}`,
    refused: (fields: string) =>
      `A assinatura estava certa, mas o formato não: o serviço respondeu 400 e nada mudou. Corrija no checkout e envie de novo. Campos: ${fields}`,
    failed: 'O meio de pagamento não informou os detalhes, e o serviço desistiu de perguntar. Corrija a causa e processe de novo.',
  },
  en: {
    short: {
      unknown_plan: 'Unknown plan',
      ambiguous_plan: 'More than one plan matches',
      unusable_address: 'Unusable email',
      unexpected_amount: 'Below the price',
      unknown_payment: 'Unknown payment',
      payment_not_received: 'The payment never arrived',
      duplicate: 'Already counted by another',
      awaits_purchase: 'Awaits its purchase',
      awaiting_gateway: 'Awaiting the gateway',
      job_removed: 'Job discarded',
      buyer_forgotten: 'Data deleted',
    },
    sentence: {
      unknown_plan: 'It names a plan that does not exist here. Create the plan and process it again, or say which plan was bought.',
      ambiguous_plan: 'More than one plan matches what was bought. Say which one it is.',
      unusable_address: "The email received cannot belong to an account. Enter the buyer's email.",
      unexpected_amount:
        'Less than the price was paid, and the plan is sold only at its price. If the purchase is valid anyway, resolve it by choosing the plan; otherwise ignore it, and refund the money at the gateway.',
      unknown_payment: 'It is about a payment, or a subscription, that has not been seen here. If it arrives, this resolves itself.',
      payment_not_received:
        'It is about a payment, or a subscription, that did not arrive here within 180 days: most likely from another shop with the same account. There is nothing to do.',
      duplicate: 'Another notification reports the same payment: decide on that one.',
      awaits_purchase:
        'It is about a payment that has not arrived here yet. It is kept, and counts once the purchase arrives. There is nothing to do.',
      awaiting_gateway: 'The service is asking the gateway for details. There is nothing to do for now.',
      job_removed: 'Someone discarded the job that was to ask the gateway. Process it again to ask, or ignore it.',
      buyer_forgotten: 'The user asked for their data to be deleted, and what was pending for them was closed.',
    },
    processed: 'It was verified and applied to the subscription.',
    test: 'It was a test: it is stored, and gives nobody access.',
    ignored: 'There is nothing to do about notifications of this kind.',
    ignoredBy: (reason: string) => `An administrator decided that there is nothing to do. Reason: ${reason}`,
    refused: (fields: string) =>
      `The signature was valid, but the format was not: the service answered 400, and nothing changed. Fix the checkout and send it again. Fields: ${fields}`,
    failed: 'The gateway did not provide the details, and the service gave up asking. Fix the cause and process it again.',
  },
  es: {
    short: {
      unknown_plan: 'Plan desconocido',
      ambiguous_plan: 'Sirve más de un plan',
      unusable_address: 'Correo que no sirve',
      unexpected_amount: 'Importe por debajo del precio',
      unknown_payment: 'Pago desconocido',
      payment_not_received: 'El pago nunca llegó',
      duplicate: 'Ya lo cuenta otra',
      awaits_purchase: 'Espera su compra',
      awaiting_gateway: 'Espera a la pasarela',
      job_removed: 'Tarea descartada',
      buyer_forgotten: 'Datos eliminados',
    },
    sentence: {
      unknown_plan: 'Nombra un plan que no existe aquí. Crea el plan y procésala de nuevo, o di qué plan se compró.',
      ambiguous_plan: 'Más de un plan corresponde a lo que se compró. Di cuál es.',
      unusable_address: 'El correo que llegó no puede ser el de una cuenta. Indica el correo de quien compró.',
      unexpected_amount:
        'Se pagó menos que el precio, y el plan solo se vende por su precio. Si aun así la compra vale, resuélvela diciendo el plan; si no, ignórala y devuelve el dinero en la pasarela.',
      unknown_payment: 'Habla de un pago, o de una suscripción, que no se ha visto aquí. Si llega, esto se resuelve solo.',
      payment_not_received:
        'Habla de un pago, o de una suscripción, que no llegó aquí en 180 días: será de otra tienda con la misma cuenta. No hay nada que hacer.',
      duplicate: 'Otra notificación cuenta el mismo pago: es en ella donde se decide.',
      awaits_purchase:
        'Habla de un pago que todavía no llegó aquí. Está guardada, y valdrá cuando llegue la compra. No hay nada que hacer.',
      awaiting_gateway: 'El servicio está pidiendo los detalles a la pasarela. Por ahora no hay nada que hacer.',
      job_removed: 'Alguien descartó la tarea que iba a consultar la pasarela. Procésala de nuevo para consultar, o ignórala.',
      buyer_forgotten: 'La persona pidió eliminar sus datos, y lo que esperaba por ella se cerró.',
    },
    processed: 'Se verificó y se aplicó a la suscripción.',
    test: 'Fue una prueba: queda registrada y no da acceso a nadie.',
    ignored: 'No hay nada que hacer con notificaciones de este tipo.',
    ignoredBy: (reason: string) => `Un administrador decidió que no hay nada que hacer. Motivo: ${reason}`,
    refused: (fields: string) =>
      `La firma era correcta, pero el formato no: el servicio respondió 400 y nada cambió. Corrige el checkout y envía la notificación de nuevo. Campos: ${fields}`,
    failed: 'La pasarela no informó los detalles, y el servicio dejó de pedirlos. Corrige la causa y procésala de nuevo.',
  },
})

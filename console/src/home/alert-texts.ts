import { defineTexts } from '../i18n/use-texts.ts'

interface About {
  count: number
  product: string
  /** Its readable name. */
  gateway: string
  /** As people write times. */
  since: string
  until: string
}

interface KindTexts {
  title: (about: About) => string
  /** Its meaning, or the advice. */
  text: (about: About) => string
}

interface AlertTexts {
  nothing: string
  severities: Record<'bad' | 'warning' | 'info', string>
  kinds: Record<string, KindTexts>
}

/** After this many wrong answers Asaas sends nothing more until somebody resumes its queue (docs/decisions/0052). */
const ASAAS_PAUSES = 15

const ptBR: AlertTexts = {
  nothing: 'Nada precisa de atenção agora.',
  severities: { bad: 'Urgente', warning: 'Atenção', info: 'Aviso' },
  kinds: {
    no_mail_server: {
      title: () => 'Nenhum e-mail sai deste serviço',
      text: () => 'Defina PORTARIA_SMTP_URL: sem ele ninguém confirma o endereço nem recupera a senha.',
    },
    unresolved_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificação não resolvida' : `${count} notificações não resolvidas`),
      text: () => 'Alguém pagou e ainda não recebeu: falta dizer o plano, o produto ou o endereço.',
    },
    failed_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificação falhou' : `${count} notificações falharam`),
      text: () => 'A consulta ao gateway foi abandonada depois de várias tentativas.',
    },
    refused_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificação recusada' : `${count} notificações recusadas`),
      text: ({ since }) =>
        `A assinatura está certa, mas o conteúdo não pode ser lido: nada foi registrado, e seu checkout precisa corrigir e enviar de novo. A primeira dos últimos sete dias é de ${since}.`,
    },
    dead_jobs: {
      title: ({ count }) => (count === 1 ? '1 tarefa abandonada' : `${count} tarefas abandonadas`),
      text: ({ since }) => `E-mails ou consultas que não deram certo em dois dias. A mais antiga é de ${since}.`,
    },
    verification_failures: {
      title: ({ gateway, product, count }) => `${gateway} em ${product}: ${count} entregas com prova errada`,
      text: ({ gateway, since }) =>
        `Nenhuma entrega é aceita desde ${since}. Confira o segredo do webhook.${gateway === 'Asaas' ? ` Depois de ${ASAAS_PAUSES} recusas o Asaas pausa a fila.` : ''}`,
    },
    gateway_silent: {
      title: ({ gateway, product }) => `${gateway} parou de enviar para ${product}`,
      text: ({ since }) => `A última entrega chegou em ${since}. Confira o webhook no painel do gateway.`,
    },
    endpoints_disabled: {
      title: ({ count }) => (count === 1 ? '1 endereço de eventos foi desativado' : `${count} endereços de eventos foram desativados`),
      text: ({ since }) =>
        `As entregas falharam por dias, ou o endereço respondeu que não existe mais. O primeiro está parado desde ${since}. Corrija o receptor e envie um teste: se ele chegar, as entregas voltam.`,
    },
    endpoints_failing: {
      title: ({ count }) => (count === 1 ? '1 endereço de eventos falha' : `${count} endereços de eventos falham`),
      text: ({ since, until }) => `Nenhuma entrega chega desde ${since}. Se continuar assim, ele será desativado a partir de ${until}.`,
    },
    duplicate_purchases: {
      title: ({ product, count }) =>
        count === 1 ? `${product}: 1 compra contada duas vezes` : `${product}: ${count} compras contadas duas vezes`,
      text: ({ gateway }) =>
        `Seu checkout e ${gateway} informam a mesma compra como duas: um reembolso em ${gateway} não tira o acesso. Faça o checkout enviar gateway e gateway_payment_id; a mesma notificação, com eles, junta as duas.`,
    },
    signing_key_ending: {
      title: () => 'A chave de assinatura está perto do fim',
      text: ({ until }) => `Ela deixa de assinar em ${until}. A próxima é criada sozinha um dia antes; se não for, troque a chave.`,
    },
    tokens_ending: {
      title: ({ count }) => (count === 1 ? '1 token vence em breve' : `${count} tokens vencem em breve`),
      text: ({ until }) => `O primeiro vence em ${until}. O script que o usa vai parar.`,
    },
    unguarded_administrators: {
      title: ({ count }) =>
        count === 1 ? '1 administrador sem verificação em duas etapas' : `${count} administradores sem verificação em duas etapas`,
      text: () => 'Quem descobrir a senha entra no console. Peça que ative a verificação em duas etapas ou uma passkey em Sua conta.',
    },
    unguarded_self: {
      title: () => 'Ative sua verificação em duas etapas',
      text: ({ count }) =>
        `Quem descobrir sua senha entra no console. ${count > 1 ? `Outros administradores sem ela: ${count - 1}.` : 'Uma passkey também serve.'}`,
    },
  },
}

const en: AlertTexts = {
  nothing: 'Nothing needs attention now.',
  severities: { bad: 'Urgent', warning: 'Attention', info: 'Notice' },
  kinds: {
    no_mail_server: {
      title: () => 'No mail leaves this service',
      text: () => 'Set PORTARIA_SMTP_URL: without it nobody confirms an address or recovers a password.',
    },
    unresolved_notifications: {
      title: ({ count }) => (count === 1 ? '1 unresolved notification' : `${count} unresolved notifications`),
      text: () => 'Somebody paid and has not received: the plan, the product or the address is missing.',
    },
    failed_notifications: {
      title: ({ count }) => (count === 1 ? '1 notification failed' : `${count} notifications failed`),
      text: () => 'Asking the gateway was given up after several attempts.',
    },
    refused_notifications: {
      title: ({ count }) => (count === 1 ? '1 notification refused' : `${count} notifications refused`),
      text: ({ since }) =>
        `The signature is right and the content can not be read: nothing was recorded, and your checkout has to correct it and send it again. The first of the last seven days is of ${since}.`,
    },
    dead_jobs: {
      title: ({ count }) => (count === 1 ? '1 job given up' : `${count} jobs given up`),
      text: ({ since }) => `Mails or calls that did not work within two days. The oldest is of ${since}.`,
    },
    verification_failures: {
      title: ({ gateway, product, count }) => `${gateway} for ${product}: ${count} deliveries that failed verification`,
      text: ({ gateway, since }) =>
        `No delivery has been accepted since ${since}. Check the webhook secret.${gateway === 'Asaas' ? ` After ${ASAAS_PAUSES} refusals Asaas pauses its queue.` : ''}`,
    },
    gateway_silent: {
      title: ({ gateway, product }) => `${gateway} has stopped sending to ${product}`,
      text: ({ since }) => `The last delivery came on ${since}. Check the webhook in the gateway's panel.`,
    },
    endpoints_disabled: {
      title: ({ count }) => (count === 1 ? '1 event endpoint was disabled' : `${count} event endpoints were disabled`),
      text: ({ since }) =>
        `Deliveries failed for days, or the address said that it is gone. The first has been off since ${since}. Mend the receiver and send a test: if it arrives, deliveries go on.`,
    },
    endpoints_failing: {
      title: ({ count }) => (count === 1 ? '1 event endpoint fails' : `${count} event endpoints fail`),
      text: ({ since, until }) => `No delivery has arrived since ${since}. If it goes on like this, it will be disabled from ${until}.`,
    },
    duplicate_purchases: {
      title: ({ product, count }) =>
        count === 1 ? `${product}: 1 purchase reported twice` : `${product}: ${count} purchases reported twice`,
      text: ({ gateway }) =>
        `Your checkout and ${gateway} report one purchase as two: a refund at ${gateway} leaves the access. Have the checkout send gateway and gateway_payment_id; the same notification with them makes the two one.`,
    },
    signing_key_ending: {
      title: () => 'The signing key is near its end',
      text: ({ until }) => `It stops signing on ${until}. The next one is made by itself a day before; if it is not, rotate the key.`,
    },
    tokens_ending: {
      title: ({ count }) => (count === 1 ? '1 token ends soon' : `${count} tokens end soon`),
      text: ({ until }) => `The first ends on ${until}. The script that uses it will stop.`,
    },
    unguarded_administrators: {
      title: ({ count }) =>
        count === 1 ? '1 administrator without two-step verification' : `${count} administrators without two-step verification`,
      text: () =>
        'Whoever finds out the password enters the console. Ask them to turn on two-step verification or add a passkey under Your account.',
    },
    unguarded_self: {
      title: () => 'Turn on your two-step verification',
      text: ({ count }) =>
        `Whoever finds out your password enters the console. ${count > 1 ? `Other administrators without it: ${count - 1}.` : 'A passkey will do as well.'}`,
    },
  },
}

const es: AlertTexts = {
  nothing: 'Nada requiere atención ahora.',
  severities: { bad: 'Urgente', warning: 'Atención', info: 'Aviso' },
  kinds: {
    no_mail_server: {
      title: () => 'Ningún correo sale de este servicio',
      text: () => 'Defina PORTARIA_SMTP_URL: sin él nadie confirma su dirección ni recupera la contraseña.',
    },
    unresolved_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificación sin resolver' : `${count} notificaciones sin resolver`),
      text: () => 'Alguien pagó y aún no recibió: falta decir el plan, el producto o la dirección.',
    },
    failed_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificación falló' : `${count} notificaciones fallaron`),
      text: () => 'La consulta a la pasarela se abandonó después de varios intentos.',
    },
    refused_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificación rechazada' : `${count} notificaciones rechazadas`),
      text: ({ since }) =>
        `La firma es correcta, pero el contenido no se puede leer: no se registró nada, y su checkout debe corregirlo y enviarlo de nuevo. La primera de los últimos siete días es del ${since}.`,
    },
    dead_jobs: {
      title: ({ count }) => (count === 1 ? '1 tarea abandonada' : `${count} tareas abandonadas`),
      text: ({ since }) => `Correos o consultas que no funcionaron en dos días. La más antigua es de ${since}.`,
    },
    verification_failures: {
      title: ({ gateway, product, count }) => `${gateway} en ${product}: ${count} entregas con prueba errónea`,
      text: ({ gateway, since }) =>
        `No se acepta ninguna entrega desde ${since}. Revise el secreto del webhook.${gateway === 'Asaas' ? ` Después de ${ASAAS_PAUSES} rechazos Asaas pausa su cola.` : ''}`,
    },
    gateway_silent: {
      title: ({ gateway, product }) => `${gateway} dejó de enviar a ${product}`,
      text: ({ since }) => `La última entrega llegó el ${since}. Revise el webhook en el panel de la pasarela.`,
    },
    endpoints_disabled: {
      title: ({ count }) => (count === 1 ? 'Se desactivó 1 dirección de eventos' : `Se desactivaron ${count} direcciones de eventos`),
      text: ({ since }) =>
        `Las entregas fallaron durante días, o la dirección respondió que ya no existe. La primera está parada desde ${since}. Corrija el receptor y envíe una prueba: si llega, las entregas vuelven.`,
    },
    endpoints_failing: {
      title: ({ count }) => (count === 1 ? '1 dirección de eventos falla' : `${count} direcciones de eventos fallan`),
      text: ({ since, until }) => `Ninguna entrega llega desde ${since}. Si sigue así, se desactivará a partir de ${until}.`,
    },
    duplicate_purchases: {
      title: ({ product, count }) =>
        count === 1 ? `${product}: 1 compra informada dos veces` : `${product}: ${count} compras informadas dos veces`,
      text: ({ gateway }) =>
        `Su checkout y ${gateway} informan la misma compra como dos: un reembolso en ${gateway} no quita el acceso. Haga que el checkout envíe gateway y gateway_payment_id; la misma notificación, con ellos, une las dos.`,
    },
    signing_key_ending: {
      title: () => 'La llave de firma está cerca de su fin',
      text: ({ until }) => `Deja de firmar el ${until}. La siguiente se crea sola un día antes; si no, cambie la llave.`,
    },
    tokens_ending: {
      title: ({ count }) => (count === 1 ? '1 token vence pronto' : `${count} tokens vencen pronto`),
      text: ({ until }) => `El primero vence el ${until}. El script que lo usa se detendrá.`,
    },
    unguarded_administrators: {
      title: ({ count }) =>
        count === 1 ? '1 administrador sin verificación en dos pasos' : `${count} administradores sin verificación en dos pasos`,
      text: () =>
        'Quien descubra la contraseña entra en la consola. Pida que active la verificación en dos pasos o una passkey en Su cuenta.',
    },
    unguarded_self: {
      title: () => 'Active su verificación en dos pasos',
      text: ({ count }) =>
        `Quien descubra su contraseña entra en la consola. ${count > 1 ? `Otros administradores sin ella: ${count - 1}.` : 'Una passkey también sirve.'}`,
    },
  },
}

/** The texts of alerts, by the API's names. */
export const alertTexts = defineTexts({ 'pt-BR': ptBR, en, es })

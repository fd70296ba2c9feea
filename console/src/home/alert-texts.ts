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
      title: () => 'O serviço não consegue enviar e-mails',
      text: () => 'Defina PORTARIA_SMTP_URL: sem ele ninguém confirma o e-mail nem recupera a senha.',
    },
    unresolved_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificação não resolvida' : `${count} notificações não resolvidas`),
      text: () => 'Alguém pagou e ainda não recebeu o acesso: falta informar o plano, o produto ou o e-mail.',
    },
    failed_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificação falhou' : `${count} notificações falharam`),
      text: () => 'O serviço desistiu de consultar o meio de pagamento depois de várias tentativas.',
    },
    refused_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificação recusada' : `${count} notificações recusadas`),
      text: ({ since }) =>
        `A assinatura está certa, mas o conteúdo não pode ser lido: nada foi registrado, e seu checkout precisa corrigir e enviar de novo. A primeira dos últimos sete dias é de ${since}.`,
    },
    dead_jobs: {
      title: ({ count }) => (count === 1 ? '1 tarefa abandonada' : `${count} tarefas abandonadas`),
      text: ({ since }) => `E-mails ou consultas que falharam por dois dias. A mais antiga é de ${since}.`,
    },
    verification_failures: {
      title: ({ gateway, product, count }) =>
        `${gateway} em ${product}: ${count} ${count === 1 ? 'entrega' : 'entregas'} com assinatura inválida`,
      text: ({ gateway, since }) =>
        `Nenhuma entrega é aceita desde ${since}. Confira o segredo do webhook.${gateway === 'Asaas' ? ` Depois de ${ASAAS_PAUSES} recusas o Asaas pausa a fila.` : ''}`,
    },
    gateway_silent: {
      title: ({ gateway, product }) => `${gateway} parou de enviar para ${product}`,
      text: ({ since }) => `A última entrega chegou em ${since}. Confira o webhook no painel do meio de pagamento.`,
    },
    endpoints_disabled: {
      title: ({ count }) => (count === 1 ? '1 endereço de eventos foi desativado' : `${count} endereços de eventos foram desativados`),
      text: ({ since }) =>
        `As entregas falharam por dias, ou o endereço respondeu que não existe mais. O primeiro está parado desde ${since}. Corrija o receptor e envie um teste: se ele chegar, as entregas voltam.`,
    },
    endpoints_failing: {
      title: ({ count }) => (count === 1 ? '1 endereço de eventos está falhando' : `${count} endereços de eventos estão falhando`),
      text: ({ since, until }) => `Nenhuma entrega chega desde ${since}. Se continuar assim, ele será desativado a partir de ${until}.`,
    },
    duplicate_purchases: {
      title: ({ product, count }) =>
        count === 1 ? `${product}: 1 compra informada duas vezes` : `${product}: ${count} compras informadas duas vezes`,
      text: ({ gateway }) =>
        `Seu checkout e ${gateway} informam a mesma compra como duas: um reembolso em ${gateway} não tira o acesso. Faça o checkout enviar gateway e gateway_payment_id; a mesma notificação, com eles, junta as duas.`,
    },
    signing_key_ending: {
      title: () => 'A chave criptográfica está perto de vencer',
      text: ({ until }) =>
        `Ela deixa de assinar em ${until}. A próxima é criada automaticamente um dia antes; se isso não acontecer, troque a chave.`,
    },
    tokens_ending: {
      title: ({ count }) => (count === 1 ? '1 token vence em breve' : `${count} tokens vencem em breve`),
      text: ({ until }) => `O primeiro vence em ${until}. O script que o usa vai parar.`,
    },
    unguarded_administrators: {
      title: ({ count }) =>
        count === 1 ? '1 administrador sem verificação em duas etapas' : `${count} administradores sem verificação em duas etapas`,
      text: ({ count }) =>
        `Quem descobrir a senha entra no console. Peça ${count === 1 ? 'ao administrador que ligue' : 'aos administradores que liguem'} a verificação em duas etapas ou ${count === 1 ? 'adicione' : 'adicionem'} uma passkey em Sua conta.`,
    },
    unguarded_self: {
      title: () => 'Ligue sua verificação em duas etapas',
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
      title: () => 'This service cannot send email',
      text: () => 'Set PORTARIA_SMTP_URL: without it nobody can confirm an email or recover a password.',
    },
    unresolved_notifications: {
      title: ({ count }) => (count === 1 ? '1 unresolved notification' : `${count} unresolved notifications`),
      text: () => 'Someone paid and has no access yet: the plan, the product or the email is missing.',
    },
    failed_notifications: {
      title: ({ count }) => (count === 1 ? '1 notification failed' : `${count} notifications failed`),
      text: () => 'The service gave up asking the gateway after several attempts.',
    },
    refused_notifications: {
      title: ({ count }) => (count === 1 ? '1 notification refused' : `${count} notifications refused`),
      text: ({ since }) =>
        `The signature is valid, but the content cannot be read: nothing was recorded, and your checkout has to fix it and send it again. The first one in the last seven days is from ${since}.`,
    },
    dead_jobs: {
      title: ({ count }) => (count === 1 ? '1 abandoned job' : `${count} abandoned jobs`),
      text: ({ since }) => `Emails or calls that kept failing for two days. The oldest is from ${since}.`,
    },
    verification_failures: {
      title: ({ gateway, product, count }) =>
        `${gateway} for ${product}: ${count} ${count === 1 ? 'delivery' : 'deliveries'} that failed verification`,
      text: ({ gateway, since }) =>
        `No delivery has been accepted since ${since}. Check the webhook secret.${gateway === 'Asaas' ? ` After ${ASAAS_PAUSES} refusals Asaas pauses its queue.` : ''}`,
    },
    gateway_silent: {
      title: ({ gateway, product }) => `${gateway} has stopped sending to ${product}`,
      text: ({ since }) => `The last delivery arrived on ${since}. Check the webhook in the gateway's dashboard.`,
    },
    endpoints_disabled: {
      title: ({ count }) => (count === 1 ? '1 event endpoint was disabled' : `${count} event endpoints were disabled`),
      text: ({ since }) =>
        `Deliveries failed for days, or the endpoint answered that it is gone. The first has been off since ${since}. Fix the receiver and send a test: if it arrives, deliveries resume.`,
    },
    endpoints_failing: {
      title: ({ count }) => (count === 1 ? '1 event endpoint is failing' : `${count} event endpoints are failing`),
      text: ({ since, until }) => `No delivery has arrived since ${since}. If this continues, it will be disabled from ${until}.`,
    },
    duplicate_purchases: {
      title: ({ product, count }) =>
        count === 1 ? `${product}: 1 purchase reported twice` : `${product}: ${count} purchases reported twice`,
      text: ({ gateway }) =>
        `Your checkout and ${gateway} report one purchase as two: a refund at ${gateway} does not end the access. Have the checkout send gateway and gateway_payment_id; the same notification with them merges the two.`,
    },
    signing_key_ending: {
      title: () => 'The signing key is about to expire',
      text: ({ until }) =>
        `It stops signing on ${until}. The next one is created automatically a day before; if that does not happen, rotate the key.`,
    },
    tokens_ending: {
      title: ({ count }) => (count === 1 ? '1 token expires soon' : `${count} tokens expire soon`),
      text: ({ until }) => `The first expires on ${until}. The script that uses it will stop working.`,
    },
    unguarded_administrators: {
      title: ({ count }) =>
        count === 1 ? '1 administrator without two-step verification' : `${count} administrators without two-step verification`,
      text: () =>
        'Anyone who learns the password can get into the console. Ask them to turn on two-step verification or add a passkey under Your account.',
    },
    unguarded_self: {
      title: () => 'Turn on your two-step verification',
      text: ({ count }) =>
        `Anyone who learns your password can get into the console. ${count > 1 ? `Other administrators without it: ${count - 1}.` : 'A passkey works too.'}`,
    },
  },
}

const es: AlertTexts = {
  nothing: 'Nada requiere atención ahora.',
  severities: { bad: 'Urgente', warning: 'Atención', info: 'Aviso' },
  kinds: {
    no_mail_server: {
      title: () => 'El servicio no puede enviar correos',
      text: () => 'Define PORTARIA_SMTP_URL: sin él nadie confirma su correo ni recupera la contraseña.',
    },
    unresolved_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificación sin resolver' : `${count} notificaciones sin resolver`),
      text: () => 'Alguien pagó y aún no recibió el acceso: falta indicar el plan, el producto o el correo.',
    },
    failed_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificación falló' : `${count} notificaciones fallaron`),
      text: () => 'La consulta a la pasarela se abandonó después de varios intentos.',
    },
    refused_notifications: {
      title: ({ count }) => (count === 1 ? '1 notificación rechazada' : `${count} notificaciones rechazadas`),
      text: ({ since }) =>
        `La firma es correcta, pero el contenido no se puede leer: no se registró nada, y tu checkout debe corregirlo y enviarlo de nuevo. La primera de los últimos siete días es del ${since}.`,
    },
    dead_jobs: {
      title: ({ count }) => (count === 1 ? '1 tarea abandonada' : `${count} tareas abandonadas`),
      text: ({ since }) => `Correos o consultas que no funcionaron en dos días. La más antigua es de ${since}.`,
    },
    verification_failures: {
      title: ({ gateway, product, count }) =>
        `${gateway} en ${product}: ${count} ${count === 1 ? 'entrega' : 'entregas'} con firma no válida`,
      text: ({ gateway, since }) =>
        `No se acepta ninguna entrega desde el ${since}. Revisa el secreto del webhook.${gateway === 'Asaas' ? ` Después de ${ASAAS_PAUSES} rechazos Asaas pausa su cola.` : ''}`,
    },
    gateway_silent: {
      title: ({ gateway, product }) => `${gateway} dejó de enviar a ${product}`,
      text: ({ since }) => `La última entrega llegó el ${since}. Revisa el webhook en el panel de la pasarela.`,
    },
    endpoints_disabled: {
      title: ({ count }) => (count === 1 ? 'Se desactivó 1 dirección de eventos' : `Se desactivaron ${count} direcciones de eventos`),
      text: ({ since }) =>
        `Las entregas fallaron durante días, o la dirección respondió que ya no existe. La primera está parada desde el ${since}. Corrige el receptor y envía una prueba: si llega, las entregas vuelven.`,
    },
    endpoints_failing: {
      title: ({ count }) => (count === 1 ? '1 dirección de eventos está fallando' : `${count} direcciones de eventos están fallando`),
      text: ({ since, until }) => `Ninguna entrega llega desde el ${since}. Si sigue así, se desactivará a partir del ${until}.`,
    },
    duplicate_purchases: {
      title: ({ product, count }) =>
        count === 1 ? `${product}: 1 compra informada dos veces` : `${product}: ${count} compras informadas dos veces`,
      text: ({ gateway }) =>
        `Tu checkout y ${gateway} informan la misma compra como dos: un reembolso en ${gateway} no quita el acceso. Haz que el checkout envíe gateway y gateway_payment_id; la misma notificación, con ellos, une las dos.`,
    },
    signing_key_ending: {
      title: () => 'La clave de firma está por vencer',
      text: ({ until }) => `Deja de firmar el ${until}. La siguiente se crea automáticamente un día antes; si no ocurre, cambia la clave.`,
    },
    tokens_ending: {
      title: ({ count }) => (count === 1 ? '1 token vence pronto' : `${count} tokens vencen pronto`),
      text: ({ until }) => `El primero vence el ${until}. El script que lo usa se detendrá.`,
    },
    unguarded_administrators: {
      title: ({ count }) =>
        count === 1 ? '1 administrador sin verificación en dos pasos' : `${count} administradores sin verificación en dos pasos`,
      text: ({ count }) =>
        `Quien descubra la contraseña entra en la consola. Pide ${count === 1 ? 'al administrador que active' : 'a los administradores que activen'} la verificación en dos pasos o ${count === 1 ? 'añada' : 'añadan'} una passkey en Tu cuenta.`,
    },
    unguarded_self: {
      title: () => 'Activa tu verificación en dos pasos',
      text: ({ count }) =>
        `Quien descubra tu contraseña entra en la consola. ${count > 1 ? `Otros administradores sin ella: ${count - 1}.` : 'Una passkey también sirve.'}`,
    },
  },
}

/** The texts of alerts, by the API's names. */
export const alertTexts = defineTexts({ 'pt-BR': ptBR, en, es })

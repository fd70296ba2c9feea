import { defineTexts } from '../../i18n/use-texts.ts'

/** The words of what is processed again in one go. */
export const runTexts = defineTexts({
  'pt-BR': {
    run: 'Processar tudo desde…',
    explains:
      'O serviço tenta de novo tudo o que não está resolvido ou falhou e foi recebido desde este momento, do mais antigo ao mais novo. Ele continua mesmo que você feche esta página. O que já foi aplicado não muda.',
    since: 'Desde',
    counting: 'Contando…',
    count: (count: number) =>
      count === 0 ? 'Não há nada para processar.' : count === 1 ? '1 notificação para processar.' : `${count} notificações para processar.`,
    counted: (unresolved: number, failed: number) => `Não resolvidas: ${unresolved}. Falharam: ${failed}.`,
    beingAsked: (count: number) => `O meio de pagamento já está sendo consultado sobre mais ${count}.`,
    isRunning: 'Outro processamento está em andamento. O andamento dele aparece nesta página.',
    progress: 'Andamento',
    states: {
      running: (since: string) => `Processando o que foi recebido desde ${since}`,
      done: (since: string) => `Terminou: o que foi recebido desde ${since} foi processado`,
      stopped: (since: string) => `Parado: só uma parte do que foi recebido desde ${since} foi processada`,
    } satisfies Record<string, (since: string) => string>,
    done: (done: number, total: number) => `${done} de ${total}`,
    processed: (count: number) =>
      count === 0
        ? 'Nenhuma notificação foi aplicada.'
        : count === 1
          ? '1 notificação foi aplicada.'
          : `${count} notificações foram aplicadas.`,
    awaiting: (count: number) =>
      count === 1 ? '1 aguarda a resposta do meio de pagamento.' : `${count} aguardam a resposta do meio de pagamento.`,
    failedAgain: (count: number) => (count === 1 ? '1 falhou de novo.' : `${count} falharam de novo.`),
    pending: (count: number) => (count === 1 ? '1 continua não resolvida:' : `${count} continuam não resolvidas:`),
    others: {
      not_allowed: 'De um administrador: só proprietários',
      changed_meanwhile: 'Resolvida por outra pessoa nesse meio-tempo',
      fault: 'Erro do serviço, veja o log',
    } as Readonly<Record<string, string>>,
    stop: 'Parar',
    close: 'Fechar',
  },
  en: {
    run: 'Process everything since…',
    explains:
      'The service retries everything unresolved or failed that was received since this moment, oldest first. It continues even if you close this page. What has already been applied does not change.',
    since: 'Since',
    counting: 'Counting…',
    count: (count: number) =>
      count === 0 ? 'There is nothing to process.' : count === 1 ? '1 notification to process.' : `${count} notifications to process.`,
    counted: (unresolved: number, failed: number) => `Unresolved: ${unresolved}. Failed: ${failed}.`,
    beingAsked: (count: number) => `The gateway is already being asked about ${count} more.`,
    isRunning: 'Another run is in progress. This page shows how far it has got.',
    progress: 'Progress',
    states: {
      running: (since: string) => `Processing what was received since ${since}`,
      done: (since: string) => `Done: what was received since ${since} was processed`,
      stopped: (since: string) => `Stopped: only a part of what was received since ${since} was processed`,
    } satisfies Record<string, (since: string) => string>,
    done: (done: number, total: number) => `${done} of ${total}`,
    processed: (count: number) =>
      count === 0 ? 'No notification was applied.' : count === 1 ? '1 notification was applied.' : `${count} notifications were applied.`,
    awaiting: (count: number) => (count === 1 ? "1 is awaiting the gateway's answer." : `${count} are awaiting the gateway's answer.`),
    failedAgain: (count: number) => (count === 1 ? '1 failed again.' : `${count} failed again.`),
    pending: (count: number) => (count === 1 ? '1 is still unresolved:' : `${count} are still unresolved:`),
    others: {
      not_allowed: "An administrator's: for owners only",
      changed_meanwhile: 'Resolved by someone else in the meantime',
      fault: 'Service error, see its log',
    } as Readonly<Record<string, string>>,
    stop: 'Stop',
    close: 'Close',
  },
  es: {
    run: 'Procesar todo desde…',
    explains:
      'El servicio intenta de nuevo todo lo que está sin resolver o falló y se recibió desde este momento, de lo más antiguo a lo más nuevo. Continúa aunque cierres esta página. Lo ya aplicado no cambia.',
    since: 'Desde',
    counting: 'Contando…',
    count: (count: number) =>
      count === 0 ? 'No hay nada que procesar.' : count === 1 ? '1 notificación para procesar.' : `${count} notificaciones para procesar.`,
    counted: (unresolved: number, failed: number) => `Sin resolver: ${unresolved}. Fallaron: ${failed}.`,
    beingAsked: (count: number) => `Ya se está consultando a la pasarela sobre ${count} más.`,
    isRunning: 'Hay otro proceso en curso. Su avance aparece en esta página.',
    progress: 'Avance',
    states: {
      running: (since: string) => `Procesando lo recibido desde el ${since}`,
      done: (since: string) => `Terminado: se procesó lo recibido desde el ${since}`,
      stopped: (since: string) => `Detenido: solo se procesó una parte de lo recibido desde el ${since}`,
    } satisfies Record<string, (since: string) => string>,
    done: (done: number, total: number) => `${done} de ${total}`,
    processed: (count: number) =>
      count === 0
        ? 'No se aplicó ninguna notificación.'
        : count === 1
          ? 'Se aplicó 1 notificación.'
          : `Se aplicaron ${count} notificaciones.`,
    awaiting: (count: number) => (count === 1 ? '1 espera la respuesta de la pasarela.' : `${count} esperan la respuesta de la pasarela.`),
    failedAgain: (count: number) => (count === 1 ? '1 falló de nuevo.' : `${count} fallaron de nuevo.`),
    pending: (count: number) => (count === 1 ? '1 sigue sin resolverse:' : `${count} siguen sin resolverse:`),
    others: {
      not_allowed: 'De un administrador: solo propietarios',
      changed_meanwhile: 'Resuelta por otra persona entretanto',
      fault: 'Error del servicio, mira el registro',
    } as Readonly<Record<string, string>>,
    stop: 'Detener',
    close: 'Cerrar',
  },
})

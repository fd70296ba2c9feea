import { defineTexts } from '../../i18n/use-texts.ts'

/** The words of what was tried with a notification. */
export const attemptTexts = defineTexts({
  'pt-BR': {
    attempts: 'Tentativas',
    kinds: {
      receipt: 'Recebimento',
      fetch: 'Consulta ao meio de pagamento',
      retry: 'Pedido de nova tentativa',
      resolution: 'Decisão de um administrador',
      other: 'Completada por outra notificação',
    },
    outcomes: {
      processed: 'Aplicada',
      test: 'Teste',
      unresolved: 'Não resolvida',
      ignored: 'Ignorada',
      failed: 'Falhou',
      refused: 'Recusada',
      asked: 'À espera do meio de pagamento',
      fault: 'Sem resposta, tenta de novo',
    },
    notKept: 'Resultado não registrado',
    took: (ms: number) => `levou ${duration(ms, 'pt-BR')}`,
    retry: 'Processar de novo',
    asking: 'O meio de pagamento está sendo consultado. O resultado aparece aqui.',
    askingLong: 'O meio de pagamento ainda não respondeu. O serviço continua perguntando, com intervalos cada vez maiores.',
    worked: 'Funcionou: a notificação está resolvida.',
    failedAgain: 'Falhou de novo. O motivo está nas tentativas.',
    isStillPending: (why: string) => `Continua não resolvida: ${why}`,
    refusals: {
      not_pending: 'Esta notificação já foi resolvida, talvez por outra pessoa.',
      not_allowed: 'Ela é de um administrador: só proprietários podem processá-la, com uma autenticação recente.',
    } as Readonly<Record<string, string>>,
  },
  en: {
    attempts: 'Attempts',
    kinds: {
      receipt: 'Receipt',
      fetch: 'Request to the gateway',
      retry: 'Retry request',
      resolution: 'Decision of an administrator',
      other: 'Completed by another notification',
    },
    outcomes: {
      processed: 'Applied',
      test: 'Test',
      unresolved: 'Unresolved',
      ignored: 'Ignored',
      failed: 'Failed',
      refused: 'Refused',
      asked: 'Awaiting the gateway',
      fault: 'No answer, will retry',
    },
    notKept: 'Outcome not recorded',
    took: (ms: number) => `took ${duration(ms, 'en')}`,
    retry: 'Process again',
    asking: 'The gateway is being asked. The result will appear here.',
    askingLong: 'The gateway has not answered yet. The service keeps asking, at longer and longer intervals.',
    worked: 'It worked: the notification is resolved.',
    failedAgain: 'It failed again. See the attempts for the reason.',
    isStillPending: (why: string) => `Still unresolved: ${why}`,
    refusals: {
      not_pending: 'This notification has already been resolved, perhaps by someone else.',
      not_allowed: "It is an administrator's: only owners may process it, with a recent authentication.",
    } as Readonly<Record<string, string>>,
  },
  es: {
    attempts: 'Intentos',
    kinds: {
      receipt: 'Recepción',
      fetch: 'Consulta a la pasarela',
      retry: 'Petición de nuevo intento',
      resolution: 'Decisión de un administrador',
      other: 'Completada por otra notificación',
    },
    outcomes: {
      processed: 'Aplicada',
      test: 'Prueba',
      unresolved: 'Sin resolver',
      ignored: 'Ignorada',
      failed: 'Falló',
      refused: 'Rechazada',
      asked: 'Espera a la pasarela',
      fault: 'Sin respuesta, se reintenta',
    },
    notKept: 'Resultado no registrado',
    took: (ms: number) => `tardó ${duration(ms, 'es')}`,
    retry: 'Procesar de nuevo',
    asking: 'Se está consultando a la pasarela. El resultado aparece aquí.',
    askingLong: 'La pasarela aún no ha respondido. El servicio sigue preguntando, con pausas cada vez más largas.',
    worked: 'Funcionó: la notificación está resuelta.',
    failedAgain: 'Falló de nuevo. Los intentos dicen por qué.',
    isStillPending: (why: string) => `Sigue sin resolverse: ${why}`,
    refusals: {
      not_pending: 'Esta notificación ya está resuelta, quizá por otra persona.',
      not_allowed: 'Es de un administrador: solo los propietarios pueden procesarla, con una autenticación reciente.',
    } as Readonly<Record<string, string>>,
  },
})

function duration(ms: number, locale: string): string {
  if (ms < 1) return '< 1 ms'
  return ms < 1_000 ? `${ms} ms` : `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(ms / 1_000)} s`
}

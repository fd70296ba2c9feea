import { defineTexts } from '../../i18n/use-texts.ts'

/** The words of the tabs, and of what is done about several notifications together. */
export const batchTexts = defineTexts({
  'pt-BR': {
    tabs: 'Notificações por situação',
    tab: { all: 'Todas', unresolved: 'Não resolvidas', failed: 'Com falha' },
    chosen: (count: number) => (count === 1 ? '1 escolhida' : `${count} escolhidas`),
    process: 'Processar de novo',
    ignore: 'Ignorar',
    ignoreExplains: (count: number) =>
      count === 1
        ? 'Diz que não há nada a fazer sobre ela. Ninguém recebe acesso por esta notificação.'
        : `Diz que não há nada a fazer sobre estas ${count}. Ninguém recebe acesso por elas.`,
    clear: 'Desfazer a escolha',
    close: 'Fechar',
    tooMany: 'Muitas vezes em pouco tempo: espere um minuto.',
    outcomes: {
      processed: 'Aplicadas',
      asked: 'Meio de pagamento consultado de novo',
      ignored: 'Ignoradas',
      pending: 'Continuam não resolvidas',
      unchanged: 'Já estavam resolvidas',
      not_allowed: 'De um administrador, só para proprietários',
      not_found: 'Não existem mais',
    },
  },
  en: {
    tabs: 'Notifications by status',
    tab: { all: 'All', unresolved: 'Unresolved', failed: 'Failed' },
    chosen: (count: number) => `${count} selected`,
    process: 'Process again',
    ignore: 'Ignore',
    ignoreExplains: (count: number) =>
      count === 1
        ? 'Marks it as needing no action. Nobody gets access through this notification.'
        : `Marks these ${count} as needing no action. Nobody gets access through them.`,
    clear: 'Clear selection',
    close: 'Close',
    tooMany: 'Too many times in a short while: wait a minute.',
    outcomes: {
      processed: 'Applied',
      asked: 'Gateway asked again',
      ignored: 'Ignored',
      pending: 'Still unresolved',
      unchanged: 'Already resolved',
      not_allowed: "An administrator's: for owners only",
      not_found: 'No longer exist',
    },
  },
  es: {
    tabs: 'Notificaciones por estado',
    tab: { all: 'Todas', unresolved: 'Sin resolver', failed: 'Fallidas' },
    chosen: (count: number) => (count === 1 ? '1 elegida' : `${count} elegidas`),
    process: 'Procesar de nuevo',
    ignore: 'Ignorar',
    ignoreExplains: (count: number) =>
      count === 1
        ? 'Dice que no hay nada que hacer con ella. Nadie recibe acceso por esta notificación.'
        : `Dice que no hay nada que hacer con estas ${count}. Nadie recibe acceso por ellas.`,
    clear: 'No elegir ninguna',
    close: 'Cerrar',
    tooMany: 'Demasiadas veces en poco tiempo: espera un minuto.',
    outcomes: {
      processed: 'Aplicadas',
      asked: 'Pasarela consultada de nuevo',
      ignored: 'Ignoradas',
      pending: 'Siguen sin resolverse',
      unchanged: 'Ya estaban resueltas',
      not_allowed: 'De un administrador, solo para propietarios',
      not_found: 'Ya no existen',
    },
  },
})

import { defineTexts } from '../../i18n/use-texts.ts'

/** Actions on clients that describe themselves. */
export const clientActions = defineTexts({
  'pt-BR': {
    'client.allow': 'App que se descreve aceito de novo',
    'client.refuse': 'App que se descreve recusado',
    'client.revoke': 'Sessões de um app que se descreve encerradas',
  },
  en: {
    'client.allow': 'App that describes itself allowed again',
    'client.refuse': 'App that describes itself refused',
    'client.revoke': 'Sessions of an app that describes itself ended',
  },
  es: {
    'client.allow': 'App que se describe aceptada de nuevo',
    'client.refuse': 'App que se describe rechazada',
    'client.revoke': 'Sesiones de una app que se describe cerradas',
  },
})

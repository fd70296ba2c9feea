import { defineTexts } from '../../i18n/use-texts.ts'

/** Actions on notifications of payments. */
export const notificationActions = defineTexts({
  'pt-BR': {
    'notification.ignore': 'Notificação ignorada',
    'notification.reprocess': 'Notificação processada de novo',
    'notification.resolve': 'Notificação resolvida',
    'notification.run': 'Processamento de notificações iniciado',
    'notification.stop_run': 'Processamento de notificações parado',
  },
  en: {
    'notification.ignore': 'Notification ignored',
    'notification.reprocess': 'Notification processed again',
    'notification.resolve': 'Notification resolved',
    'notification.run': 'Notification run started',
    'notification.stop_run': 'Notification run stopped',
  },
  es: {
    'notification.ignore': 'Notificación ignorada',
    'notification.reprocess': 'Notificación procesada de nuevo',
    'notification.resolve': 'Notificación resuelta',
    'notification.run': 'Proceso de notificaciones iniciado',
    'notification.stop_run': 'Proceso de notificaciones detenido',
  },
})

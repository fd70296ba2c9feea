import { defineTexts } from '../i18n/use-texts.ts'

export const failedSignInTexts = defineTexts({
  'pt-BR': {
    title: 'Entradas recusadas',
    about:
      'As dos últimos 30 dias, com até um minuto de atraso. O que foi digitado não é guardado. Durante um ataque, algumas ficam fora da lista; os números da página inicial contam todas.',
    empty: 'Nenhuma entrada foi recusada nos últimos 30 dias.',
    account: 'Conta',
    noAccount: 'Nenhuma conta',
    reason: 'Motivo',
    count: 'Vezes',
    at: 'Quando',
    from: 'De onde',
    ofUsers: 'Existente',
    ip: 'Endereço IP',
    since: 'Desde',
    until: 'Até',
  },
  en: {
    title: 'Refused sign-ins',
    about:
      'The last 30 days, up to a minute ago. What was typed is not kept. During an attack some are left out here; the figures on the first page count them all.',
    empty: 'No sign-in was refused in the last 30 days.',
    account: 'Account',
    noAccount: 'No account',
    reason: 'Reason',
    count: 'Times',
    at: 'When',
    from: 'From',
    ofUsers: 'Existing',
    ip: 'IP address',
    since: 'Since',
    until: 'Until',
  },
  es: {
    title: 'Inicios de sesión rechazados',
    about:
      'Los de los últimos 30 días, con hasta un minuto de retraso. Lo que se escribió no se guarda. Durante un ataque, algunos quedan fuera de la lista; las cifras de la página de inicio los cuentan todos.',
    empty: 'Ningún inicio de sesión fue rechazado en los últimos 30 días.',
    account: 'Cuenta',
    noAccount: 'Ninguna cuenta',
    reason: 'Motivo',
    count: 'Veces',
    at: 'Cuándo',
    from: 'Desde dónde',
    ofUsers: 'Existente',
    ip: 'Dirección IP',
    since: 'Desde',
    until: 'Hasta',
  },
})

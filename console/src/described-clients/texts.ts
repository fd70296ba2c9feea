import { defineTexts } from '../i18n/use-texts.ts'

export const describedClientTexts = defineTexts({
  'pt-BR': {
    title: 'Apps que se descrevem',
    about:
      'Apps que ninguém cadastrou: cada um se identifica pelo endereço da própria descrição, e cada pessoa decide se dá acesso. Só o endereço é certo; o resto é o que o app diz de si.',
    empty: 'Nenhum app que se descreve recebeu acesso até agora.',
    client: 'App',
    state: 'Situação',
    states: { allowed: 'Aceito', refused: 'Recusado' },
    sessions: 'Sessões abertas',
    firstSeen: 'Primeiro acesso',
    lastSeen: 'Último acesso',
    actions: 'Ações',
    refuse: 'Recusar',
    refuseExplains: (client: string) =>
      `${client} perde agora as sessões e os tokens de todas as pessoas, e daqui em diante ninguém consegue dar acesso a ele.`,
    allow: 'Aceitar de novo',
    allowExplains: (client: string) => `${client} volta a poder pedir acesso. Cada pessoa decide de novo.`,
    revoke: 'Encerrar sessões',
    revokeExplains: (client: string) => `${client} perde agora as sessões e os tokens de todas as pessoas. Ele pode pedir acesso de novo.`,
  },
  en: {
    title: 'Apps that describe themselves',
    about:
      'Apps that nobody has registered: each names itself by the address of its own description, and every user decides whether to give it access. Only the address is certain; the rest is what the app says of itself.',
    empty: 'No app that describes itself has been given access yet.',
    client: 'App',
    state: 'Status',
    states: { allowed: 'Allowed', refused: 'Refused' },
    sessions: 'Live sessions',
    firstSeen: 'First access',
    lastSeen: 'Last access',
    actions: 'Actions',
    refuse: 'Refuse',
    refuseExplains: (client: string) =>
      `${client} loses the sessions and tokens of all users now, and from now on nobody can give it access.`,
    allow: 'Allow again',
    allowExplains: (client: string) => `${client} may ask for access again. Every user decides again.`,
    revoke: 'End sessions',
    revokeExplains: (client: string) => `${client} loses the sessions and tokens of all users now. It may ask for access again.`,
  },
  es: {
    title: 'Apps que se describen',
    about:
      'Apps que nadie registró: cada una se identifica por la dirección de su propia descripción, y cada persona decide si le da acceso. Solo la dirección es segura; el resto es lo que la app dice de sí misma.',
    empty: 'Ninguna app que se describe ha recibido acceso todavía.',
    client: 'App',
    state: 'Estado',
    states: { allowed: 'Aceptada', refused: 'Rechazada' },
    sessions: 'Sesiones abiertas',
    firstSeen: 'Primer acceso',
    lastSeen: 'Último acceso',
    actions: 'Acciones',
    refuse: 'Rechazar',
    refuseExplains: (client: string) =>
      `${client} pierde ahora las sesiones y los tokens de todas las personas, y desde ahora nadie puede darle acceso.`,
    allow: 'Aceptar de nuevo',
    allowExplains: (client: string) => `${client} puede volver a pedir acceso. Cada persona decide de nuevo.`,
    revoke: 'Cerrar sesiones',
    revokeExplains: (client: string) =>
      `${client} pierde ahora las sesiones y los tokens de todas las personas. Puede volver a pedir acceso.`,
  },
})

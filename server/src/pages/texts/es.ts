import { completeProfileEs } from './complete-profile/es.ts'
import { credentialsEs } from './credentials/es.ts'
import { loginEs } from './login/es.ts'
import { myAccountEs } from './my-account/es.ts'
import { passkeysEs } from './passkeys/es.ts'
import { ownProfileEs } from './profile/es.ts'
import type { Texts } from './pt-br.ts'
import { secondFactorEs } from './second-factor/es.ts'

export const es = {
  fixFields: 'Revisa los campos de abajo:',
  optional: '(opcional)',
  wrongPassword: 'Contraseña incorrecta',
  tooManyRequests: 'Demasiadas solicitudes seguidas',
  tooManyRequestsAdvice: (wait: string) => `Hicimos una pausa para evitar abusos. Inténtalo de nuevo en ${wait}.`,
  emailErrors: { required: 'Escribe tu correo electrónico.', invalid: 'Este correo no parece correcto. Mira si falta algo, como la @.' },
  backToAccount: 'Volver a tu cuenta',
  ...loginEs,
  callback: {
    title: 'Entrando…',
    lead: 'Si no pasa nada, continúa con el botón.',
  },
  welcome: {
    title: (name: string) => `¡Hola, ${name}!`,
    lead: 'Todo listo. Un momento…',
    leadFor: (product: string) => `Todo listo. Te llevamos a ${product}…`,
    continue: 'Continuar ahora',
    sharingTitle: (name: string, product: string) => `${name}, es tu primera vez en ${product}`,
    sharingLead: (host: string) => `Al continuar irás a ${host}.`,
    receives: (product: string) => `${product} recibirá:`,
    scopeProfile: 'Tu perfil: nombre, foto, empresa y plan',
    scopeEmail: 'Tu correo electrónico',
    scopeOther: (scope: string) => `Permiso: ${scope}`,
    neverShared: 'Tu contraseña, tu CPF o CNPJ y tu teléfono no se comparten.',
    continueTo: (product: string) => `Continuar a ${product}`,
    cancel: 'Cancelar',
  },
  ...completeProfileEs,
  signedOut: {
    title: 'Cerraste sesión',
    lead: '¡Hasta pronto! Para usar las apps de nuevo en este navegador, entra con tu contraseña.',
    signInAgain: 'Entrar de nuevo',
    back: (host: string) => `Volver a ${host}`,
  },
  account: {
    title: 'Tu cuenta',
    lead: 'Todo listo: entra en cualquier app de la familia sin escribir tu contraseña de nuevo.',
    signOut: 'Cerrar sesión',
    settings: 'Ajustes de la cuenta',
    changePassword: 'Cambiar la contraseña',
    changeEmail: 'Cambiar el correo',
  },
  ...credentialsEs,
  ...myAccountEs,
  ...ownProfileEs,
  ...passkeysEs,
  ...secondFactorEs,
  badFlow: {
    title: 'Este inicio de sesión ya no es válido',
    lead: 'Se agotó el tiempo o empezó en otro navegador. Vuelve a la app de la que viniste y entra de nuevo.',
    signIn: 'Entrar en tu cuenta',
  },
  planMissing: {
    title: 'Tu plan no incluye esta app',
    lead: 'Iniciaste sesión, pero el plan de tu cuenta no abre esta app.',
    app: 'App:',
    otherAccount: 'Usar otra cuenta',
    purchases: 'Ver mis compras',
  },
  refusedStart: {
    title: 'No pudimos iniciar la sesión',
    lead: 'La app de la que viniste envió una solicitud que no podemos aceptar. Vuelve e inténtalo de nuevo.',
    forDevelopers: 'Si continúa, envía este código a quien administra la app:',
  },
} satisfies Texts

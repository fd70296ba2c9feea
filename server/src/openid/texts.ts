import type { Language } from '../pages/index.ts'

const ptBR = {
  title: 'O app pediu a entrada de um jeito que não aceitamos',
  message: 'Volte ao app e tente de novo. Se continuar assim, avise quem cuida dele.',
  code: 'Código para quem cuida do app',
  badLogoutTitle: 'O app pediu a saída de um jeito que não aceitamos',
  logoutTitle: 'Sair da conta?',
  logoutLead: 'Você sai deste e de todos os outros apps em que entrou com esta conta.',
  logoutLeadOf: (app: string) =>
    `${app} pediu para encerrar a sua sessão. Você sai dele e de todos os outros apps em que entrou com esta conta.`,
  logout: 'Sair',
  stay: 'Continuar na conta',
}

type OpenIdTexts = typeof ptBR

const en: OpenIdTexts = {
  title: 'The app asked for the sign-in in a way we do not accept',
  message: 'Go back to the app and try again. If it stays like this, tell the people who run the app.',
  code: "Code for the app's developers",
  badLogoutTitle: 'The app asked for the sign-out in a way we do not accept',
  logoutTitle: 'Sign out?',
  logoutLead: 'You will be signed out of this app and of all others that you opened with this account.',
  logoutLeadOf: (app) =>
    `${app} asked to end your session. You will be signed out of it and of all other apps that you opened with this account.`,
  logout: 'Sign out',
  stay: 'Stay signed in',
}

const es: OpenIdTexts = {
  title: 'La aplicación pidió la entrada de una forma que no aceptamos',
  message: 'Vuelve a la aplicación e inténtalo otra vez. Si sigue igual, avisa a quien la administra.',
  code: 'Código para quien administra la aplicación',
  badLogoutTitle: 'La aplicación pidió la salida de una forma que no aceptamos',
  logoutTitle: '¿Cerrar la sesión?',
  logoutLead: 'Saldrás de esta aplicación y de todas las demás en las que entraste con esta cuenta.',
  logoutLeadOf: (app) =>
    `${app} pidió cerrar tu sesión. Saldrás de ella y de todas las demás aplicaciones en las que entraste con esta cuenta.`,
  logout: 'Salir',
  stay: 'Seguir en la cuenta',
}

export const openIdTexts: Record<Language, OpenIdTexts> = { 'pt-BR': ptBR, en, es }

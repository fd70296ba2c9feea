import type { Language } from '../pages/index.ts'

const ptBR = {
  title: 'Este app não está bem configurado',
  message: 'Volte a ele e tente de novo. Se continuar assim, avise quem cuida do app.',
  code: 'Para quem cuida dele',
  logoutTitle: 'Sair da conta?',
  logoutLead: 'Você sai deste e de todos os outros apps em que entrou com esta conta.',
  logoutLeadOf: (app: string) =>
    `${app} pediu para encerrar a sua sessão. Você sai dele e de todos os outros apps em que entrou com esta conta.`,
  logout: 'Sair',
  stay: 'Continuar na conta',
}

type OpenIdTexts = typeof ptBR

const en: OpenIdTexts = {
  title: 'This app is not set up right',
  message: 'Go back to it and try again. If it stays like this, tell the people who run the app.',
  code: 'For them',
  logoutTitle: 'Sign out?',
  logoutLead: 'You will be signed out of this app and of all others that you opened with this account.',
  logoutLeadOf: (app) =>
    `${app} asked to end your session. You will be signed out of it and of all other apps that you opened with this account.`,
  logout: 'Sign out',
  stay: 'Stay signed in',
}

const es: OpenIdTexts = {
  title: 'Esta aplicación no está bien configurada',
  message: 'Vuelve a ella e inténtalo otra vez. Si sigue igual, avisa a quien la administra.',
  code: 'Para quien la administra',
  logoutTitle: '¿Cerrar la sesión?',
  logoutLead: 'Saldrás de esta aplicación y de todas las demás en las que entraste con esta cuenta.',
  logoutLeadOf: (app) =>
    `${app} pidió cerrar tu sesión. Saldrás de ella y de todas las demás aplicaciones en las que entraste con esta cuenta.`,
  logout: 'Salir',
  stay: 'Seguir en la cuenta',
}

export const openIdTexts: Record<Language, OpenIdTexts> = { 'pt-BR': ptBR, en, es }

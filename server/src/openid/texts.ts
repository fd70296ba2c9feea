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
  nativeTitle: (app: string) => `Entrar em ${app}?`,
  nativeLead: (app: string) =>
    `Um programa neste aparelho, que se apresenta como ${app}, quer entrar com a sua conta. Continue só se foi você que começou.`,
  nativeUser: 'Conta aberta agora',
  nativeContinue: (name: string) => `Continuar como ${name}`,
  nativeOther: 'Entrar com outra conta',
  nativeStop: 'Não fui eu',
  describedTitle: (host: string) => `Dar acesso a ${host}?`,
  describedLead: (host: string) => `Um app de ${host} quer usar a sua conta.`,
  describedName: (name: string) => `Ele se apresenta como “${name}”; ninguém verificou esse nome.`,
  describedDevice: 'A resposta vai para um programa neste aparelho',
  describedDeviceAdvice: (host: string) => `Qualquer programa pode dizer que é de ${host}. Continue só se foi você que começou.`,
  describedSees: 'O que ele recebe',
  describedScopes: [
    ['profile', 'Seu nome e sua foto'],
    ['email', 'Seu e-mail'],
    ['portaria', 'Seu plano'],
    ['offline_access', 'Acesso até você sair da conta'],
  ] as ReadonlyArray<readonly [scope: string, what: string]>,
  describedAllow: 'Dar acesso',
}

type OpenIdTexts = typeof ptBR

const en: OpenIdTexts = {
  title: 'This app is not set up correctly',
  message: 'Go back to it and try again. If this keeps happening, tell the people who run the app.',
  code: 'For the people who run it',
  logoutTitle: 'Sign out?',
  logoutLead: 'You will be signed out of this app and of all others that you opened with this account.',
  logoutLeadOf: (app) =>
    `${app} asked to end your session. You will be signed out of it and of all other apps that you opened with this account.`,
  logout: 'Sign out',
  stay: 'Stay signed in',
  nativeTitle: (app) => `Sign in to ${app}?`,
  nativeLead: (app) =>
    `A program on this device that calls itself ${app} wants to sign in with your account. Continue only if you started this.`,
  nativeUser: 'Signed in now',
  nativeContinue: (name) => `Continue as ${name}`,
  nativeOther: 'Use another account',
  nativeStop: 'It wasn’t me',
  describedTitle: (host) => `Give access to ${host}?`,
  describedLead: (host) => `An app from ${host} wants to use your account.`,
  describedName: (name) => `It calls itself “${name}”; nobody has verified that name.`,
  describedDevice: 'The answer goes to a program on this device',
  describedDeviceAdvice: (host) => `Any program can claim to be from ${host}. Continue only if you started this.`,
  describedSees: 'What it receives',
  describedScopes: [
    ['profile', 'Your name and picture'],
    ['email', 'Your email address'],
    ['portaria', 'Your plan'],
    ['offline_access', 'Access until you sign out'],
  ],
  describedAllow: 'Give access',
}

const es: OpenIdTexts = {
  title: 'Esta app no está bien configurada',
  message: 'Vuelve a ella e inténtalo otra vez. Si sigue igual, avisa a quien la administra.',
  code: 'Para quien la administra',
  logoutTitle: '¿Cerrar la sesión?',
  logoutLead: 'Saldrás de esta app y de todas las demás en las que entraste con esta cuenta.',
  logoutLeadOf: (app) => `${app} pidió cerrar tu sesión. Saldrás de ella y de todas las demás apps en las que entraste con esta cuenta.`,
  logout: 'Cerrar sesión',
  stay: 'Seguir en la cuenta',
  nativeTitle: (app) => `¿Entrar en ${app}?`,
  nativeLead: (app) =>
    `Un programa de este dispositivo, que se presenta como ${app}, quiere entrar con tu cuenta. Continúa solo si empezaste tú.`,
  nativeUser: 'Cuenta abierta ahora',
  nativeContinue: (name) => `Continuar como ${name}`,
  nativeOther: 'Entrar con otra cuenta',
  nativeStop: 'No fui yo',
  describedTitle: (host) => `¿Dar acceso a ${host}?`,
  describedLead: (host) => `Una app de ${host} quiere usar tu cuenta.`,
  describedName: (name) => `Se presenta como “${name}”; nadie ha comprobado ese nombre.`,
  describedDevice: 'La respuesta va a un programa de este dispositivo',
  describedDeviceAdvice: (host) => `Cualquier programa puede decir que es de ${host}. Continúa solo si empezaste tú.`,
  describedSees: 'Lo que recibe',
  describedScopes: [
    ['profile', 'Tu nombre y tu foto'],
    ['email', 'Tu correo'],
    ['portaria', 'Tu plan'],
    ['offline_access', 'Acceso hasta que cierres la sesión'],
  ],
  describedAllow: 'Dar acceso',
}

export const openIdTexts: Record<Language, OpenIdTexts> = { 'pt-BR': ptBR, en, es }

/** What a page of the client says: a sentence, and what is likely to have caused it. */
export interface Words {
  title: string
  text: string
}

/**
 * `not_started_here`: no attempt of this browser · `no_longer_valid`: the token was used, or is too old · `unavailable`: Portaria does not answer · `not_yet_valid`: our clock is
 * behind · `no_token`: came back without one, twice · `went_round`: signed in a moment ago, and yet not · `misconfigured`: the key is refused, or missing ·
 * `confirm_sign_out`: another site asks for it.
 */
export type Notice =
  | 'not_started_here'
  | 'no_longer_valid'
  | 'unavailable'
  | 'not_yet_valid'
  | 'no_token'
  | 'went_round'
  | 'misconfigured'
  | 'confirm_sign_out'

interface Texts extends Record<Notice, Words> {
  again: string
  signOut: string
}

const ptBr: Texts = {
  again: 'Entrar de novo',
  signOut: 'Sair',
  not_started_here: {
    title: 'Este acesso não começou aqui',
    text: 'Ou faz mais de meia hora que começou, ou este navegador bloqueia cookies. Comece de novo.',
  },
  no_longer_valid: { title: 'Este acesso não vale mais', text: 'Ele já foi usado ou demorou demais. Comece de novo.' },
  unavailable: { title: 'Não conseguimos concluir o acesso', text: 'O serviço de acesso não responde agora. Tente de novo em instantes.' },
  not_yet_valid: {
    title: 'O relógio deste site está errado',
    text: 'O acesso parece vir do futuro: o relógio do servidor deste aplicativo está atrasado. Avise quem cuida dele.',
  },
  no_token: {
    title: 'O acesso voltou sem sessão',
    text: 'O endereço de retorno deste aplicativo não está registrado para receber uma sessão, ou falta a chave pública dele. Avise quem cuida dele.',
  },
  went_round: {
    title: 'Você entrou, mas este site não reconheceu',
    text: 'As causas mais comuns: o navegador bloqueia os cookies deste site, há cookies antigos de outro endereço, ou o relógio do servidor está errado.',
  },
  misconfigured: {
    title: 'Este aplicativo não está bem configurado',
    text: 'A chave secreta dele falta ou foi recusada. Avise quem cuida dele.',
  },
  confirm_sign_out: { title: 'Quer sair?', text: 'Outro site pediu para encerrar a sua sessão.' },
}

const en: Texts = {
  again: 'Sign in again',
  signOut: 'Sign out',
  not_started_here: {
    title: 'This sign-in was not started here',
    text: 'Or it was more than half an hour ago, or this browser blocks cookies. Please start again.',
  },
  no_longer_valid: { title: 'This sign-in is no longer valid', text: 'It has been used, or it took too long. Please start again.' },
  unavailable: {
    title: 'We could not finish signing you in',
    text: 'The sign-in service does not answer right now. Please try again in a moment.',
  },
  not_yet_valid: {
    title: 'The clock of this site is wrong',
    text: "The sign-in seems to come from the future: the clock of this app's server is behind. Please tell who runs it.",
  },
  no_token: {
    title: 'The sign-in came back without a session',
    text: 'The address this app is returned to is not registered to receive one, or its publishable key is missing. Please tell who runs it.',
  },
  went_round: {
    title: 'You signed in, but this site does not see it',
    text: "Mostly it is one of these: the browser blocks this site's cookies, old cookies of another address are in the way, or the server's clock is wrong.",
  },
  misconfigured: { title: 'This app is not set up right', text: 'Its secret key is missing or refused. Please tell who runs it.' },
  confirm_sign_out: { title: 'Sign out?', text: 'Another site asked to end your session.' },
}

const es: Texts = {
  again: 'Entrar de nuevo',
  signOut: 'Salir',
  not_started_here: {
    title: 'Este acceso no empezó aquí',
    text: 'O hace más de media hora que empezó, o este navegador bloquea las cookies. Empieza de nuevo.',
  },
  no_longer_valid: { title: 'Este acceso ya no es válido', text: 'Ya se usó o tardó demasiado. Empieza de nuevo.' },
  unavailable: {
    title: 'No pudimos completar el acceso',
    text: 'El servicio de acceso no responde ahora. Inténtalo de nuevo en unos instantes.',
  },
  not_yet_valid: {
    title: 'El reloj de este sitio está mal',
    text: 'El acceso parece venir del futuro: el reloj del servidor de esta aplicación está atrasado. Avisa a quien la administra.',
  },
  no_token: {
    title: 'El acceso volvió sin sesión',
    text: 'La dirección de retorno de esta aplicación no está registrada para recibir una sesión, o falta su clave pública. Avisa a quien la administra.',
  },
  went_round: {
    title: 'Entraste, pero este sitio no lo reconoce',
    text: 'Lo más común: el navegador bloquea las cookies de este sitio, hay cookies viejas de otra dirección, o el reloj del servidor está mal.',
  },
  misconfigured: {
    title: 'Esta aplicación no está bien configurada',
    text: 'Su clave secreta falta o fue rechazada. Avisa a quien la administra.',
  },
  confirm_sign_out: { title: '¿Quieres salir?', text: 'Otro sitio pidió cerrar tu sesión.' },
}

const languages = { 'pt-BR': ptBr, en, es }

/** The first language of `Accept-Language` that there is; else Portuguese. */
export function textsFor(acceptLanguage: string | null): { language: string; texts: Texts } {
  for (const item of (acceptLanguage ?? '').toLowerCase().split(',')) {
    const wanted = item.trim().slice(0, 2)
    const language = wanted === 'pt' ? 'pt-BR' : wanted === 'en' || wanted === 'es' ? wanted : undefined
    if (language) return { language, texts: languages[language] }
  }
  return { language: 'pt-BR', texts: ptBr }
}

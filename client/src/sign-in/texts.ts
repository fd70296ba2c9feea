/** The text of a client's page: a sentence, and the probable cause. */
export interface Labels {
  title: string
  text: string
}

/**
 * `not_started_here`: no attempt of this browser · `no_longer_valid`: the token was used, or is too old · `unavailable`: Portaria does not
 * answer · `not_yet_valid`: our clock is behind · `no_token`: came back without one, twice · `went_round`: signed in a moment ago, and yet
 * not · `misconfigured`: the key is refused, or missing · `confirm_sign_out`: another site asks for it.
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

interface Texts extends Record<Notice, Labels> {
  again: string
  signOut: string
}

const ptBr: Texts = {
  again: 'Entrar de novo',
  signOut: 'Sair',
  not_started_here: {
    title: 'Este acesso não começou aqui',
    text: 'Ou começou há mais de meia hora, ou este navegador bloqueia cookies.',
  },
  no_longer_valid: { title: 'Este acesso não vale mais', text: 'Já foi usado ou demorou demais.' },
  unavailable: { title: 'Não conseguimos concluir o acesso', text: 'O serviço de acesso não responde. Tente de novo em instantes.' },
  not_yet_valid: {
    title: 'O relógio deste site está errado',
    text: 'Ele está atrasado. Avise quem cuida deste site.',
  },
  no_token: {
    title: 'O acesso voltou sem sessão',
    text: 'O endereço de retorno deste site não está registrado para receber uma sessão, ou falta a chave pública. Avise quem cuida dele.',
  },
  went_round: {
    title: 'Você entrou, mas este site não reconheceu',
    text: 'Em geral este navegador bloqueia cookies, há cookies antigos de outro endereço, ou o relógio do servidor está errado.',
  },
  misconfigured: { title: 'Este site não está bem configurado', text: 'A chave secreta falta ou foi recusada. Avise quem cuida dele.' },
  confirm_sign_out: { title: 'Quer sair?', text: 'Outro site pediu isso.' },
}

const en: Texts = {
  again: 'Sign in again',
  signOut: 'Sign out',
  not_started_here: {
    title: 'This sign-in was not started here',
    text: 'Or it was more than half an hour ago, or this browser blocks cookies.',
  },
  no_longer_valid: { title: 'This sign-in is no longer valid', text: 'It was used, or took too long.' },
  unavailable: { title: 'We could not finish signing you in', text: 'The sign-in service does not answer. Please try again in a moment.' },
  not_yet_valid: {
    title: 'The clock of this site is wrong',
    text: 'It is behind. Please tell who runs this site.',
  },
  no_token: {
    title: 'The sign-in came back without a session',
    text: 'The return address of this site is not registered to receive a session, or the publishable key is missing. Please tell who runs it.',
  },
  went_round: {
    title: 'You signed in, but this site does not see it',
    text: "Mostly this browser blocks cookies, there are old cookies of another address, or the server's clock is wrong.",
  },
  misconfigured: { title: 'This site is not set up right', text: 'The secret key is missing or refused. Please tell who runs it.' },
  confirm_sign_out: { title: 'Sign out?', text: 'Another site asked for it.' },
}

const es: Texts = {
  again: 'Entrar de nuevo',
  signOut: 'Salir',
  not_started_here: {
    title: 'Este acceso no empezó aquí',
    text: 'O empezó hace más de media hora, o este navegador bloquea cookies.',
  },
  no_longer_valid: { title: 'Este acceso ya no es válido', text: 'Ya se usó o tardó demasiado.' },
  unavailable: {
    title: 'No pudimos completar el acceso',
    text: 'El servicio de acceso no responde. Inténtalo de nuevo en unos instantes.',
  },
  not_yet_valid: {
    title: 'El reloj de este sitio está mal',
    text: 'Está atrasado. Avisa a quien administra este sitio.',
  },
  no_token: {
    title: 'El acceso volvió sin sesión',
    text: 'La dirección de retorno de este sitio no está registrada para recibir una sesión, o falta la clave pública. Avisa a quien lo administra.',
  },
  went_round: {
    title: 'Entraste, pero este sitio no lo reconoce',
    text: 'En general este navegador bloquea cookies, hay cookies viejas de otra dirección, o el reloj del servidor está mal.',
  },
  misconfigured: {
    title: 'Este sitio no está bien configurado',
    text: 'La clave secreta falta o fue rechazada. Avisa a quien lo administra.',
  },
  confirm_sign_out: { title: '¿Quieres salir?', text: 'Otro sitio lo pidió.' },
}

const languages = { 'pt-BR': ptBr, en, es }

/** The first language of `Accept-Language` that the client has; else Portuguese. */
export function textsFor(acceptLanguage: string | null): { language: string; texts: Texts } {
  for (const item of (acceptLanguage ?? '').toLowerCase().split(',')) {
    const wanted = item.trim().slice(0, 2)
    const language = wanted === 'pt' ? 'pt-BR' : wanted === 'en' || wanted === 'es' ? wanted : undefined
    if (language) return { language, texts: languages[language] }
  }
  return { language: 'pt-BR', texts: ptBr }
}

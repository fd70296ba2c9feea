/** The text of a client's page: a sentence, and the probable cause. */
export type Labels = readonly [title: string, text: string]

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
  language: string
  again: string
  signOut: string
}

const ptBr: Texts = {
  language: 'pt-BR',
  again: 'Entrar de novo',
  signOut: 'Sair',
  not_started_here: ['Esta entrada não começou aqui', 'Ou demorou demais, ou este navegador bloqueia cookies.'],
  no_longer_valid: ['Esta entrada não vale mais', 'Já foi usada ou demorou demais.'],
  unavailable: ['Não conseguimos concluir a entrada', 'O serviço não responde. Tente de novo em instantes.'],
  not_yet_valid: ['O relógio deste site está errado', 'Está atrasado. Avise quem cuida dele.'],
  no_token: [
    'A entrada voltou sem sessão',
    'O endereço de retorno deste site não está registrado para isso, ou falta a chave pública. Avise quem cuida dele.',
  ],
  went_round: [
    'Você entrou, mas este site não reconheceu',
    'Este navegador bloqueia cookies ou tem cookies antigos, ou o relógio deste site está errado.',
  ],
  misconfigured: ['Este site não está bem configurado', 'A chave secreta falta ou foi recusada. Avise quem cuida dele.'],
  confirm_sign_out: ['Quer sair?', 'Outro site pediu isso.'],
}

const en: Texts = {
  language: 'en',
  again: 'Sign in again',
  signOut: 'Sign out',
  not_started_here: ['This sign-in was not started here', 'Or it took too long, or this browser blocks cookies.'],
  no_longer_valid: ['This sign-in is no longer valid', 'It was used, or took too long.'],
  unavailable: ['We could not finish signing you in', 'The service does not answer. Please try again in a moment.'],
  not_yet_valid: ['The clock of this site is wrong', 'It is behind. Please tell the site owner.'],
  no_token: [
    'The sign-in came back without a session',
    'The return address of this site is not registered for that, or the publishable key is missing. Please tell the site owner.',
  ],
  went_round: [
    'You signed in, but this site does not see it',
    'This browser blocks cookies or has old cookies, or the clock of this site is wrong.',
  ],
  misconfigured: ['This site is not set up right', 'The secret key is missing or refused. Please tell the site owner.'],
  confirm_sign_out: ['Sign out?', 'Another site asked for it.'],
}

const es: Texts = {
  language: 'es',
  again: 'Entrar de nuevo',
  signOut: 'Cerrar sesión',
  not_started_here: ['Este inicio de sesión no empezó aquí', 'O tardó demasiado, o este navegador bloquea cookies.'],
  no_longer_valid: ['Este inicio de sesión ya no es válido', 'Ya se usó o tardó demasiado.'],
  unavailable: ['No pudimos completar el inicio de sesión', 'El servicio no responde. Inténtalo de nuevo en unos instantes.'],
  not_yet_valid: ['El reloj de este sitio está mal', 'Está atrasado. Avisa a quien lo administra.'],
  no_token: [
    'El inicio de sesión volvió sin sesión',
    'La dirección de retorno de este sitio no está registrada para eso, o falta la clave pública. Avisa a quien lo administra.',
  ],
  went_round: [
    'Entraste, pero este sitio no lo reconoce',
    'Este navegador bloquea cookies o tiene cookies viejas, o el reloj de este sitio está mal.',
  ],
  misconfigured: ['Este sitio no está bien configurado', 'La clave secreta falta o fue rechazada. Avisa a quien lo administra.'],
  confirm_sign_out: ['¿Quieres cerrar sesión?', 'Otro sitio lo pidió.'],
}

const languages: Record<string, Texts | undefined> = { pt: ptBr, en, es }

/** The first language of `Accept-Language` that the client has; else Portuguese. */
export function textsFor(acceptLanguage: string | null): Texts {
  for (const item of (acceptLanguage ?? '').toLowerCase().split(',')) {
    const texts = languages[item.trim().slice(0, 2)]
    if (texts) return texts
  }
  return ptBr
}

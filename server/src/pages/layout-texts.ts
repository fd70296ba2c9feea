import type { Language } from './languages.ts'

/** The words of the frame around every page, and of pages about an error. Portuguese is the master. */
const ptBR = {
  error: 'Erro',
  description: (name: string) => `${name}: uma conta só para todos os apps.`,
  languages: 'Idioma',
  support: 'Suporte',
  terms: 'Termos de uso',
  privacy: 'Privacidade',
  password: { show: 'Mostrar', hide: 'Ocultar', what: 'senha' },
  requestId: 'Se precisar de ajuda, informe este código:',
  goHome: 'Ir para o início',
  tryAgain: 'Tentar de novo',
  impersonation: {
    label: 'Em nome de outra pessoa',
    as: (name: string) => `Você age em nome de ${name}`,
    by: (name: string) => `Quem age: ${name}`,
    until: (time: string) => `Até ${time}, horário de Brasília`,
    stop: 'Parar e voltar ao console',
  },
  badRequest: {
    title: 'Não entendemos este pedido',
    message: 'O endereço ou os dados chegaram incompletos. Volte à página anterior e tente de novo.',
  },
  forbidden: {
    title: 'Não foi possível aceitar este pedido',
    message: 'Ele não veio de uma página nossa. Volte, recarregue a página e tente de novo.',
  },
  notFound: {
    title: 'Página não encontrada',
    message: 'Confira o endereço ou volte ao app de onde você veio.',
  },
  tooLarge: {
    title: 'O envio é grande demais',
    message: 'Volte, diminua o que foi digitado e envie de novo.',
  },
  tooMany: {
    title: 'Muitos pedidos seguidos',
    message: 'Para evitar abusos, fizemos uma pausa de até uma hora. Tente de novo mais tarde, ou entre com sua senha.',
  },
  fault: {
    title: 'Algo deu errado do nosso lado',
    message: 'O problema foi registrado e não é culpa sua. Tente de novo em alguns minutos.',
  },
  consoleNotBuilt: {
    title: 'O console ainda não foi montado',
    message: 'Quem opera o serviço executa npm run build na pasta dele; depois, recarregue esta página.',
  },
  moving: {
    title: 'Já voltamos',
    message: 'Estamos de mudança e nada se perde. Se você já entrou, seus apps continuam funcionando; para entrar, espere alguns minutos.',
  },
  away: {
    title: 'Estamos fora do ar por um instante',
    message: 'Nada se perdeu. Espere um minuto e recarregue a página.',
  },
}

const en: typeof ptBR = {
  error: 'Error',
  description: (name: string) => `${name}: one account for all your apps.`,
  languages: 'Language',
  support: 'Support',
  terms: 'Terms of use',
  privacy: 'Privacy',
  password: { show: 'Show', hide: 'Hide', what: 'password' },
  requestId: 'If you need help, mention this code:',
  goHome: 'Go to the start page',
  tryAgain: 'Try again',
  impersonation: {
    label: 'On behalf of somebody else',
    as: (name: string) => `You are acting as ${name}`,
    by: (name: string) => `Acting: ${name}`,
    until: (time: string) => `Until ${time}, Brasília time`,
    stop: 'Stop and go back to the console',
  },
  badRequest: {
    title: 'We could not understand this request',
    message: 'The address or the data arrived incomplete. Go back to the previous page and try again.',
  },
  forbidden: {
    title: 'We could not accept this request',
    message: 'It did not come from one of our pages. Go back, reload the page and try again.',
  },
  notFound: {
    title: 'Page not found',
    message: 'Check the address, or go back to the app you came from.',
  },
  tooLarge: {
    title: 'That is too much to send',
    message: 'Go back, shorten what you typed and send it again.',
  },
  tooMany: {
    title: 'Too many requests in a row',
    message: 'We have paused for up to an hour to prevent abuse. Try again later, or sign in with your password.',
  },
  fault: {
    title: 'Something went wrong on our side',
    message: 'The problem has been recorded and is not your fault. Try again in a few minutes.',
  },
  consoleNotBuilt: {
    title: 'The console has not been built yet',
    message: 'Whoever runs the service runs npm run build in its folder; then reload this page.',
  },
  moving: {
    title: 'Back in a few minutes',
    message: 'We are moving, and nothing is lost. If you are signed in, your apps go on as usual; signing in works again in a few minutes.',
  },
  away: {
    title: 'We are away for a moment',
    message: 'Nothing was lost. Wait a minute and reload the page.',
  },
}

const es: typeof ptBR = {
  error: 'Error',
  description: (name: string) => `${name}: una sola cuenta para todas las apps.`,
  languages: 'Idioma',
  support: 'Soporte',
  terms: 'Términos de uso',
  privacy: 'Privacidad',
  password: { show: 'Mostrar', hide: 'Ocultar', what: 'contraseña' },
  requestId: 'Si necesitas ayuda, indica este código:',
  goHome: 'Ir al inicio',
  tryAgain: 'Intentar de nuevo',
  impersonation: {
    label: 'En nombre de otra persona',
    as: (name: string) => `Actúas en nombre de ${name}`,
    by: (name: string) => `Quien actúa: ${name}`,
    until: (time: string) => `Hasta las ${time}, hora de Brasilia`,
    stop: 'Parar y volver a la consola',
  },
  badRequest: {
    title: 'No entendimos esta solicitud',
    message: 'La dirección o los datos llegaron incompletos. Vuelve a la página anterior e inténtalo de nuevo.',
  },
  forbidden: {
    title: 'No pudimos aceptar esta solicitud',
    message: 'No vino de una página nuestra. Vuelve, recarga la página e inténtalo de nuevo.',
  },
  notFound: {
    title: 'Página no encontrada',
    message: 'Revisa la dirección o vuelve a la app de la que viniste.',
  },
  tooLarge: {
    title: 'El envío es demasiado grande',
    message: 'Vuelve, acorta lo que escribiste y envíalo de nuevo.',
  },
  tooMany: {
    title: 'Demasiadas solicitudes seguidas',
    message: 'Hicimos una pausa de hasta una hora para evitar abusos. Inténtalo de nuevo más tarde, o entra con tu contraseña.',
  },
  fault: {
    title: 'Algo salió mal de nuestro lado',
    message: 'El problema quedó registrado y no es culpa tuya. Inténtalo de nuevo en unos minutos.',
  },
  consoleNotBuilt: {
    title: 'La consola aún no se ha construido',
    message: 'Quien opera el servicio ejecuta npm run build en su carpeta; después, recarga esta página.',
  },
  moving: {
    title: 'Volvemos en unos minutos',
    message: 'Nos estamos mudando y nada se pierde. Si ya entraste, tus apps siguen funcionando; para entrar, espera unos minutos.',
  },
  away: {
    title: 'Estamos fuera de servicio por un momento',
    message: 'No se perdió nada. Espera un minuto y recarga la página.',
  },
}

export const pageTexts = { 'pt-BR': ptBR, en, es } satisfies Record<Language, typeof ptBR>

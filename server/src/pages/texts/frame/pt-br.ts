/** The words of the frame around every page, and of pages about an error. Portuguese is the master. */
export const framePtBR = {
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
    message: 'Quem opera o serviço precisa executar npm run build na pasta dele; depois, recarregue esta página.',
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

export const loginPtBR = {
  login: {
    title: 'Entrar na sua conta',
    titleFor: (product: string) => `Entrar em ${product}`,
    lead: 'Uma conta só para todos os apps.',
    leadFor: (name: string) => `Use sua conta ${name}, a mesma em todos os apps.`,
    email: 'E-mail',
    password: 'Senha',
    submit: 'Entrar',
    emailMissing: 'Digite seu e-mail.',
    passwordMissing: 'Digite sua senha.',
    wrongCredentials: 'E-mail ou senha incorretos',
    wrongCredentialsAdvice: 'Confira os dois e digite a senha de novo.',
    checkEmail: 'Confira seu e-mail.',
    checkPassword: 'Digite a senha de novo.',
    tooManyAttempts: 'Muitas tentativas seguidas',
    tooManyAttemptsAdvice: (wait: string) => `Para proteger sua conta, fizemos uma pausa. Tente de novo em ${wait}.`,
    busy: 'Muita gente está entrando agora',
    busyAdvice: 'Espere alguns segundos e tente de novo.',
    fewMinutes: 'alguns minutos',
    forgotten: 'Esqueci minha senha',
    noAccount: 'Ainda não tem conta?',
    signUp: 'Criar conta',
    or: 'ou',
    signInWith: (provider: string) => `Entrar com ${provider}`,
    notices: {
      provider_denied: {
        title: (provider: string) => `Você cancelou em ${provider}`,
        advice: (_provider: string) => 'Nada mudou. Tente de novo ou entre com sua senha.',
      },
      provider_unreachable: {
        title: (provider: string) => `${provider} não está respondendo`,
        advice: (_provider: string) => 'Tente de novo em alguns minutos ou entre com sua senha.',
      },
      provider_failed: {
        title: (provider: string) => `Não foi possível entrar com ${provider}`,
        advice: (_provider: string) => 'A resposta que veio de lá não pôde ser usada. Tente de novo ou entre com sua senha.',
      },
      provider_not_recent: {
        title: (provider: string) => `${provider} não confirmou que é você`,
        advice: (provider: string) =>
          `Este passo pede uma nova entrada, e a resposta veio de uma antiga. Saia da sua conta em ${provider} e tente de novo, ou entre com sua senha.`,
      },
      provider_gave_no_address: {
        title: (provider: string) => `${provider} não informou seu e-mail`,
        advice: (provider: string) =>
          `Sem ele, não dá para abrir sua conta. Permita o e-mail em ${provider} e tente de novo, ou crie uma conta aqui.`,
      },
      link_with_password: {
        title: (_provider: string) => 'Seu e-mail já tem uma conta',
        advice: (provider: string) =>
          `É o mesmo e-mail que você usa em ${provider}. Entre só desta vez, com sua passkey se a conta pede uma ou então com sua senha, e ${provider} fica conectado à sua conta.`,
      },
      deletion_pending: {
        title: () => 'Esta conta está sendo excluída',
        advice: () =>
          'Você pediu a exclusão. Para ficar com a conta, abra o link do e-mail que enviamos naquele dia: ele vale por 7 dias. Não encontrou? Fale com o suporte.',
      },
      authenticate_again: {
        title: (_provider: string) => 'Confirme que é você',
        advice: (_provider: string) => 'Por segurança, entre de novo para continuar.',
      },
      authenticate_with_passkey: {
        title: () => 'Confirme que é você',
        advice: () => 'Esta conta pede a sua passkey: entre com ela para continuar.',
      },
      confirm_email: {
        title: () => 'Entre para confirmar o e-mail',
        advice: () => 'Use o e-mail que a conta tem hoje: um novo só vale depois que você confirmar.',
      },
    },
  },
  otherUser: {
    title: 'Com qual conta você quer seguir?',
    lead: 'Outra conta entrou neste navegador enquanto você terminava. Escolha com qual seguir.',
    signedInAs: 'Conta aberta agora',
    expected: 'Conta com que você começou',
    continueAs: (name: string) => `Continuar como ${name}`,
    signInAgain: 'Entrar com outra conta',
    signInAgainAs: (name: string) => `Entrar como ${name}`,
  },
}

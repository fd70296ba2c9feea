import { ownProfilePtBR } from './profile/pt-br.ts'
import { credentialsPtBR } from './pt-br-credentials.ts'
import { myAccountPtBR } from './pt-br-my-account.ts'
import { passkeysPtBR } from './pt-br-passkeys.ts'
import { secondFactorPtBR } from './pt-br-second-factor.ts'

/** The sign-in pages in Brazilian Portuguese, the master: the other languages have exactly these keys. */
export const ptBR = {
  fixFields: 'Confira os campos abaixo:',
  optional: '(opcional)',
  wrongPassword: 'Senha incorreta',
  tooManyRequests: 'Muitos pedidos seguidos',
  tooManyRequestsAdvice: (wait: string) => `Para evitar abusos, fizemos uma pausa. Tente de novo em ${wait}.`,
  emailErrors: { required: 'Digite seu e-mail.', invalid: 'Este e-mail não parece certo. Confira se falta algo, como o @.' },
  backToAccount: 'Voltar para sua conta',
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
          `É o mesmo e-mail que você usa em ${provider}. Entre com sua senha só desta vez, e ${provider} fica conectado à sua conta.`,
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
        title: () => 'Entre para confirmar o novo e-mail',
        advice: () => 'Use o e-mail que a conta tem hoje: o novo só vale depois que você confirmar.',
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
  /** The splash. */
  callback: {
    title: 'Entrando…',
    lead: 'Se nada acontecer, continue pelo botão.',
  },
  welcome: {
    title: (name: string) => `Olá, ${name}!`,
    lead: 'Deu tudo certo. Só um instante…',
    leadFor: (product: string) => `Deu tudo certo. Levando você para ${product}…`,
    continue: 'Continuar agora',
    sharingTitle: (name: string, product: string) => `${name}, é a primeira vez que você entra em ${product}`,
    sharingLead: (host: string) => `Ao continuar, você vai para ${host}.`,
    receives: (product: string) => `${product} vai receber:`,
    scopeProfile: 'Seu perfil: nome, foto, empresa e plano',
    scopeEmail: 'Seu e-mail',
    scopeOther: (scope: string) => `Permissão: ${scope}`,
    neverShared: 'Sua senha, seu CPF ou CNPJ e seu telefone não são compartilhados.',
    continueTo: (product: string) => `Continuar para ${product}`,
    cancel: 'Cancelar',
  },
  profile: {
    title: 'Complete seu cadastro',
    lead: 'Faltam poucos dados. Pedimos cada um só uma vez.',
    step: (step: number, steps: number) => `Passo ${step} de ${steps}`,
    fullName: 'Nome completo',
    taxId: 'CPF ou CNPJ',
    taxIdHint: 'Com ou sem pontos e traços. O CNPJ pode ter letras.',
    phone: 'Telefone',
    phoneHint: 'Com DDD. Se for de fora do Brasil, comece com + e o código do país.',
    companyName: 'Nome da empresa',
    companyNameWhen: '(só com CNPJ)',
    taxIdWhen: '(ou um documento de outro país)',
    foreign: {
      summary: 'Não tenho CPF nem CNPJ',
      lead: 'Use um documento do seu país.',
      exempt: 'Sou de outro país e não tenho CPF nem CNPJ',
      kind: 'Documento',
      kinds: { passport: 'Passaporte', foreign_tax_id: 'Número fiscal de outro país' },
      country: 'País que emitiu',
      choose: 'Escolha o país',
      number: 'Número do documento',
    },
    submit: 'Salvar e continuar',
    skip: 'Agora não',
    skipHint: 'Você pode preencher depois. Um app pode pedir estes dados ao entrar.',
    errors: {
      full_name: {
        required: 'Digite seu nome completo.',
        invalid: 'Digite seu nome só com letras, como no documento.',
        too_long: 'Este nome é longo demais. Use até 100 letras.',
      },
      tax_id: {
        required: 'Digite seu CPF ou o CNPJ da empresa.',
        invalid: 'Este número não confere. Veja se algum dígito foi trocado.',
        too_long: 'Um CPF tem 11 dígitos e um CNPJ tem 14. Confira o número.',
      },
      phone: {
        required: 'Digite seu telefone com DDD.',
        invalid: 'Este telefone não confere. Digite o DDD e o número.',
        too_long: 'Este telefone é longo demais. Digite o DDD e o número.',
      },
      company_name: {
        required: 'Com CNPJ, digite também o nome da empresa.',
        invalid: 'Confira o nome da empresa.',
        too_long: 'Este nome é longo demais. Use até 100 letras.',
      },
      document_country: {
        required: 'Escolha o país que emitiu o documento.',
        invalid: 'Escolha um país da lista.',
        too_long: 'Escolha um país da lista.',
      },
      document_number: {
        required: 'Digite o número do documento.',
        invalid: 'Este número não confere. Use só as letras e os números do documento.',
        too_long: 'Este número é longo demais. Confira o documento.',
      },
    },
    unusable: 'Não foi possível usar este número. Confira os dígitos ou fale com o suporte.',
    tooManyTries: 'Você já tentou muitos números hoje. Tente de novo amanhã ou fale com o suporte.',
  },
  nda: {
    title: 'Acordo de confidencialidade',
    lead: 'Você recebeu um convite para o programa beta. Para participar, leia e aceite o acordo.',
    version: (version: string) => `Versão ${version}`,
    region: 'Texto do acordo',
    accept: 'Li e aceito o acordo de confidencialidade',
    submit: 'Aceitar e continuar',
    decline: 'Agora não',
    declineHint: 'Sem aceitar, você entra normalmente, mas fora do beta. Perguntaremos de novo no próximo acesso.',
    mustChoose: 'Marque a caixa para aceitar, ou escolha “Agora não”.',
  },
  signedOut: {
    title: 'Você saiu',
    lead: 'Até logo! Para usar os apps de novo neste navegador, entre com sua senha.',
    signInAgain: 'Entrar de novo',
    back: (host: string) => `Voltar para ${host}`,
  },
  account: {
    title: 'Sua conta',
    lead: 'Tudo pronto: abra qualquer app da família e entre sem digitar a senha de novo.',
    signOut: 'Sair',
    settings: 'Ajustes da conta',
    changePassword: 'Trocar a senha',
    changeEmail: 'Trocar o e-mail',
  },
  ...credentialsPtBR,
  ...myAccountPtBR,
  ...ownProfilePtBR,
  ...passkeysPtBR,
  ...secondFactorPtBR,
  badFlow: {
    title: 'Este acesso não vale mais',
    lead: 'Ele passou do tempo ou começou em outro navegador. Volte ao app de onde você veio e entre de novo.',
    signIn: 'Entrar na sua conta',
  },
  planMissing: {
    title: 'Seu plano não inclui este app',
    lead: 'Você entrou, mas seu plano não dá acesso a este app.',
    app: 'App:',
    otherAccount: 'Entrar com outra conta',
    purchases: 'Ver minhas compras',
  },
  refusedStart: {
    title: 'Não foi possível abrir o acesso',
    lead: 'O app de onde você veio enviou um pedido que não podemos aceitar. Volte e tente de novo.',
    forDevelopers: 'Se continuar, envie este código a quem cuida do app:',
  },
}

/** Every text of the sign-in pages. The Portuguese dictionary is the master; a key missing elsewhere fails the type check. */
export type Texts = typeof ptBR

import { completeProfilePtBR } from './complete-profile/pt-br.ts'
import { credentialsPtBR } from './credentials/pt-br.ts'
import { loginPtBR } from './login/pt-br.ts'
import { myAccountPtBR } from './my-account/pt-br.ts'
import { passkeysPtBR } from './passkeys/pt-br.ts'
import { ownProfilePtBR } from './profile/pt-br.ts'
import { secondFactorPtBR } from './second-factor/pt-br.ts'

/** The sign-in pages in Brazilian Portuguese, the master: the other languages have exactly these keys. */
export const ptBR = {
  fixFields: 'Confira os campos abaixo:',
  optional: '(opcional)',
  wrongPassword: 'Senha incorreta',
  tooManyRequests: 'Muitos pedidos seguidos',
  tooManyRequestsAdvice: (wait: string) => `Para evitar abusos, fizemos uma pausa. Tente de novo em ${wait}.`,
  emailErrors: { required: 'Digite seu e-mail.', invalid: 'Este e-mail não parece certo. Confira se falta algo, como o @.' },
  backToAccount: 'Voltar para sua conta',
  ...loginPtBR,
  callback: {
    title: 'Entrando…',
    lead: 'Se nada acontecer, continue pelo botão.',
  },
  /** The splash. */
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
  ...completeProfilePtBR,
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
    title: 'Esta entrada não vale mais',
    lead: 'Ela passou do tempo ou começou em outro navegador. Volte ao app de onde você veio e entre de novo.',
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
    title: 'Não foi possível iniciar a entrada',
    lead: 'O app de onde você veio enviou um pedido que não podemos aceitar. Volte e tente de novo.',
    forDevelopers: 'Se continuar, envie este código a quem cuida do app:',
  },
}

/** Every text of the sign-in pages. The Portuguese dictionary is the master; a key missing elsewhere fails the type check. */
export type Texts = typeof ptBR

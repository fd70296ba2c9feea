import { createAdministratorPtBR } from './administrators/pt-br.ts'
import { createMailboxPtBR } from './mailbox/pt-br.ts'
import { createSecurityPtBR } from './security/pt-br.ts'

/**
 * The mails in Brazilian Portuguese, the master: the other languages have exactly these keys. `service` is the name that users know, of any
 * gender, so that no article may stand before it. Mails to administrators name the product.
 */
export function createPtBR(service: string) {
  return {
    greeting: (name: string) => `Olá, ${name}.`,
    greetingUnnamed: 'Olá.',
    linkAsText: 'Se o botão não abrir, copie este endereço no navegador:',
    neverAsked: `Ninguém de ${service}, nem do suporte, pede seus códigos ou sua senha. Não os passe a ninguém.`,
    automatic: 'Mensagem automática: as respostas não são lidas.',
    answerable: 'Dúvidas? Responda a este e-mail.',
    timeZone: (offset: string) => `horário de Brasília, ${offset}`,
    facts: {
      when: 'Quando',
      device: 'Aparelho',
      ip: 'Endereço IP',
      newAddress: 'Novo e-mail',
      codesLeft: 'Códigos que restam',
      until: 'Até',
      reason: 'Motivo',
      endpoint: 'Endereço',
      product: 'Produto',
      since: 'Desde',
      lastAnswer: 'Última resposta',
      disablesAt: 'Será desativado',
    },
    ...createMailboxPtBR(service),
    ...createSecurityPtBR(service),
    deletion_requested: {
      subject: 'Sua conta será excluída',
      title: 'Sua conta será excluída',
      lead: 'Recebemos o pedido de excluir a sua conta. Ela está fechada, e ninguém entra mais nela.',
      due: (when: string) => `Seus dados pessoais serão apagados em ${when}.`,
      changedMind: 'Mudou de ideia? Até lá, nada é apagado:',
      button: 'Ficar com a conta',
      validity: (time: string) => `O botão vale por ${time}.`,
      notYou: 'Se não foi você quem pediu, desfaça a exclusão agora, entre e troque a senha.',
      why: 'Você recebeu este e-mail porque alguém que entrou na sua conta pediu a exclusão dela.',
    },
    account_deleted: {
      subject: 'Sua conta foi excluída',
      title: 'Sua conta foi excluída',
      lead: 'O prazo para voltar atrás passou, e seus dados pessoais foram apagados, como foi pedido.',
      kept: 'Das compras ficam só os números, sem o seu nome e sem o seu e-mail. Se alguma assinatura ainda está ativa, cancele-a com quem vendeu.',
      last: 'Este é o nosso último e-mail: depois dele, seu endereço também não fica conosco.',
      why: 'Você recebeu este e-mail porque foi pedida a exclusão da conta que tinha seu endereço.',
    },
    ...createAdministratorPtBR(),
    identity_linked: {
      subject: 'Nova forma de entrar na sua conta',
      title: 'Nova forma de entrar na sua conta',
      lead: (provider: string) =>
        `Agora você também entra na sua conta com ${provider}. Se foi você que vinculou as duas contas, não precisa fazer nada.`,
      button: 'Não fui eu: proteger a conta',
      notYou: 'Se não foi você, proteja a conta agora.',
      why: 'Você recebeu este e-mail porque avisamos quando muda a forma de entrar na sua conta.',
    },
    identity_unlinked: {
      subject: 'Uma forma de entrar saiu da sua conta',
      title: 'Uma forma de entrar saiu da sua conta',
      lead: (provider: string) =>
        `A entrada por ${provider} foi desvinculada da sua conta, e os navegadores que entraram com a conta de outro serviço saíram, menos o que a desvinculou. Se é ${provider} que fornece seu endereço de e-mail, entrar por lá vincula de novo. Se foi você que desvinculou, não precisa fazer nada.`,
      button: 'Não fui eu: proteger a conta',
      notYou: 'Se não foi você, alguém pode estar dentro da sua conta. Proteja a conta agora.',
      why: 'Você recebeu este e-mail porque avisamos quando muda a forma de entrar na sua conta.',
    },
    account_claimed: {
      subject: 'Sua conta agora é só sua',
      title: 'Sua conta agora é só sua',
      lead: (provider: string) =>
        `Já existia uma conta com seu e-mail, mas quem a criou nunca confirmou o endereço. Você entrou com ${provider}, que confirmou que ele é seu, e a conta passou para você.`,
      removed: 'Para sua segurança, apagamos o que a outra pessoa tinha deixado: senha, sessões abertas, CPF ou CNPJ e telefone.',
      nextTime: (provider: string) => `Você não precisa fazer nada. Para entrar, use ${provider}.`,
      why: 'Você recebeu este e-mail porque a conta com seu endereço passou a ser sua.',
    },
  }
}

/** Every text of the mails. The Portuguese dictionary is the master; a key missing elsewhere fails the type check. */
export type Texts = ReturnType<typeof createPtBR>

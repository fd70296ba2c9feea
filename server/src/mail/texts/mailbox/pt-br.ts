/** Mails to a mailbox that has to answer, or has no place here any more. */
export function createMailboxPtBR(service: string) {
  return {
    confirm_address: {
      subject: 'Confirme seu e-mail',
      title: 'Confirme seu e-mail',
      lead: 'Falta só isto para criar sua conta. Digite este código na página em que você se cadastrou:',
      orButton: 'Ou, se preferir, confirme por aqui:',
      button: 'Confirmar e-mail',
      validity: (time: string) => `O código e o botão valem por ${time}.`,
      notYou: 'Se não foi você que se cadastrou, não confirme. Sem a confirmação, ninguém usa este e-mail.',
      why: `Você recebeu este e-mail porque alguém informou seu endereço ao criar uma conta em ${service}.`,
    },
    account_exists: {
      subject: `Você já tem uma conta em ${service}`,
      title: 'Você já tem uma conta',
      lead: 'Alguém tentou criar uma conta com este e-mail, mas ela já existe. Se foi você, é só entrar.',
      button: 'Entrar na minha conta',
      orRecover: 'Não lembra a senha?',
      recover: 'Criar uma senha nova',
      notYou: 'Se não foi você, não precisa fazer nada. Nada mudou na sua conta.',
      why: `Você recebeu este e-mail porque alguém informou seu endereço ao criar uma conta em ${service}.`,
    },
    reset_password: {
      subject: 'Crie uma senha nova',
      title: 'Crie uma senha nova',
      lead: 'Recebemos um pedido para trocar a senha da sua conta.',
      button: 'Criar senha nova',
      validity: (time: string) =>
        `O botão funciona uma vez só e vale por ${time}. Ao trocar a senha, você sai da conta nos outros aparelhos.`,
      notYou: 'Se não foi você, ignore este e-mail: sua senha continua a mesma.',
      why: 'Você recebeu este e-mail porque alguém pediu uma senha nova para a conta com seu endereço.',
    },
    invitation: {
      subject: `Sua conta em ${service} está pronta`,
      title: 'Sua conta está pronta',
      lead: `Criaram uma conta para você em ${service}, uma só para todos os apps. Para começar, escolha sua senha.`,
      button: 'Escolher minha senha',
      validity: (time: string) => `O convite funciona uma vez só e vale por ${time}.`,
      notYou: 'Se você não esperava este convite, ignore este e-mail.',
      why: `Você recebeu este e-mail porque quem administra ${service} criou uma conta com seu endereço.`,
    },
    confirm_new_address: {
      subject: 'Confirme seu novo e-mail',
      title: 'Confirme seu novo e-mail',
      lead: 'Para usar este e-mail na sua conta, confirme que ele é seu:',
      button: 'Confirmar novo e-mail',
      validity: (time: string) => `O botão vale por ${time}. Até lá, sua conta continua com o e-mail antigo.`,
      notYou: 'Se não foi você que pediu a troca, não confirme: este e-mail não será usado.',
      why: `Você recebeu este e-mail porque alguém informou seu endereço como o novo e-mail de uma conta em ${service}.`,
    },
    address_changed: {
      subject: 'O e-mail da sua conta mudou',
      title: 'O e-mail da sua conta mudou',
      lead: 'A partir de agora, sua conta usa outro e-mail, e com este aqui não se entra mais nela. Se foi você, não precisa fazer nada.',
      button: 'Não fui eu: proteger a conta',
      notYou: 'Se não foi você, avise agora, para que a conta fique protegida.',
      why: `Você recebeu este e-mail porque este era o endereço da sua conta em ${service}.`,
    },
  }
}

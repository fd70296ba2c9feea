export const recoveryPtBR = {
  recover: {
    title: 'Esqueceu a senha?',
    lead: 'Digite o e-mail da sua conta e enviaremos um link para criar uma senha nova.',
    submit: 'Enviar link',
    remembered: 'Lembrou a senha?',
  },
  recoverySent: {
    lead: 'Se existe uma conta com',
    leadEnd: ', enviamos para lá um link para criar uma senha nova. Ele vale por 30 minutos.',
    otherAddress: 'Ainda nada? Talvez sua conta tenha outro endereço.',
    back: 'Voltar para entrar',
  },
  newPassword: {
    label: 'Senha nova',
    reset_password: {
      title: 'Crie uma senha nova',
      lead: 'Ao salvar, você entra aqui e sai da conta em todos os outros aparelhos.',
      submit: 'Salvar e entrar',
    },
    invitation: {
      title: 'Escolha sua senha',
      lead: 'Sua conta está pronta, uma só para todos os apps. Falta só a senha.',
      submit: 'Salvar e entrar',
    },
  },
  ticketExpired: {
    title: 'Este link não vale mais',
    sign_up: {
      lead: 'Ele passou do tempo ou já foi usado. Crie a conta de novo: leva um minuto.',
      begin: 'Criar conta',
      already: 'Já confirmou?',
    },
    reset_password: {
      lead: 'Ele vale por 30 minutos e funciona uma vez só. Peça outro.',
      begin: 'Pedir outro link',
      already: 'Já trocou a senha?',
    },
    invitation: {
      lead: 'O convite passou do tempo ou já foi usado. Peça um link para criar sua senha.',
      begin: 'Pedir um link',
      already: 'Já tem senha?',
    },
    report_sign_in: {
      lead: 'Ele passou do tempo ou já foi usado. Se ainda desconfia de algo, crie uma senha nova.',
      begin: 'Criar uma senha nova',
      already: 'Está tudo certo?',
    },
    undo_deletion: {
      lead: 'O prazo de 7 dias passou, o link já foi usado, ou a conta já não está sendo excluída.',
      begin: 'Entrar',
      already: 'Já voltou?',
    },
    change_email: {
      lead: 'Ele passou do tempo, já foi usado ou o e-mail não está mais livre. Peça outro link na sua conta.',
      begin: 'Abrir sua conta',
      already: 'Já confirmou?',
    },
  },
}

/** Mails to administrators. */
export function createAdministratorPtBR() {
  return {
    role_given: {
      subject: 'Você agora administra a Portaria',
      title: 'Você tem acesso ao console da Portaria',
      lead: {
        owner: 'Você recebeu a função de proprietário: no console, pode fazer tudo, também dar e tirar o acesso de outras pessoas.',
        support:
          'Você recebeu a função de suporte: no console, ajuda pessoas e cuida de compras, sem ver segredos nem dar acesso a ninguém.',
        viewer: 'Você recebeu a função de leitura: no console, vê o que acontece, sem dados pessoais, e não muda nada.',
      },
      secondFactor:
        'Para entrar, use sua conta de sempre. Antes, ligue a verificação em duas etapas ou crie uma passkey em “Sua conta”: quem administra protege também os outros.',
      button: 'Abrir o console',
      notYou: 'Se você não esperava isso, avise quem administra a Portaria. Nada mudou na forma de entrar na sua conta.',
      why: 'Você recebeu este e-mail porque um proprietário da Portaria deu este acesso à sua conta.',
    },
    endpoint_failing: {
      subject: 'Um endereço de eventos falha há um dia',
      title: 'Um endereço de eventos falha há um dia',
      lead: 'A Portaria não consegue entregar eventos a um dos seus sistemas: há um dia nada chega lá. Nenhum evento se perdeu: tudo fica guardado por 90 dias e pode ser entregue de novo.',
      todo: 'Veja no console o que o receptor respondeu e corrija-o. Se as falhas continuarem, as entregas param no momento indicado acima, e você recebe outro aviso.',
      button: 'Ver o endereço',
      why: 'Você recebeu este e-mail porque é proprietário da Portaria.',
    },
    endpoint_disabled: {
      subject: 'Um endereço de eventos foi desativado',
      title: 'Um endereço de eventos foi desativado',
      lead: {
        failing: 'As entregas a um dos seus sistemas falharam por cinco dias, e a Portaria parou de enviar.',
        gone: 'Um dos seus sistemas respondeu 410, que quer dizer que o endereço não existe mais, e a Portaria parou de enviar.',
      },
      todo: 'Corrija o receptor e envie um teste no console: se ele chegar, as entregas voltam. Depois use “Entregar de novo desde…” para o que aconteceu enquanto isso: os eventos ficam guardados por 90 dias.',
      button: 'Ver o endereço',
      why: 'Você recebeu este e-mail porque é proprietário da Portaria.',
    },
  }
}

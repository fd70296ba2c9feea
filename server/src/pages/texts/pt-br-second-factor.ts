/** The page of the user's own second factor in Brazilian Portuguese, the master. */
export const secondFactorPtBR = {
  secondFactorSettings: {
    title: 'Verificação em duas etapas',
    offLead: 'Além da senha, entrar pede um código que só o seu celular mostra. Quem descobrir sua senha não entra.',
    begin: 'Ligar',
    whichApps: 'Funciona com qualquer aplicativo autenticador, como Google Authenticator, Microsoft Authenticator, 1Password ou Aegis.',
    everySignInMethod: 'O código é pedido sempre que você entra, também por outro provedor ou por um link de e-mail.',
    turnedOff: 'A verificação está desligada',
    turnedOffAdvice: 'Entrar não pede mais o código. Os códigos de recuperação que você tinha não valem mais.',
    pendingTitle: 'Ligue a verificação em duas etapas',
    scan: 'No aplicativo autenticador, adicione uma conta e leia este código:',
    qrLabel: 'Código QR para o aplicativo autenticador. A mesma chave está escrita abaixo.',
    orType: 'Sem câmera? Digite esta chave no aplicativo:',
    openApp: 'O aplicativo está neste celular? Abrir nele',
    thenType: 'Depois, digite o código de 6 dígitos que o aplicativo mostra:',
    code: 'Código de 6 dígitos',
    confirm: 'Ligar a verificação',
    wrongCode: 'Código incorreto',
    wrongCodeAdvice: 'Digite o código que o aplicativo mostra agora. Se não der certo, veja se a hora do celular está automática.',
    onLead: 'Está ligada: entrar na sua conta pede também o código do seu aplicativo.',
    state: 'Como está',
    onSince: (day: string) => `Ligada desde ${day}`,
    codesLeft: (count: number) => (count === 1 ? 'Resta 1 código de recuperação' : `Restam ${count} códigos de recuperação`),
    few: (count: number) =>
      count === 0
        ? 'Você não tem mais códigos de recuperação'
        : count === 1
          ? 'Resta só 1 código de recuperação'
          : `Restam só ${count} códigos de recuperação`,
    fewAdvice: 'Sem eles e sem o celular, só o suporte pode ajudar. Crie outros agora.',
    renewHint: 'Perdeu o papel, ou alguém viu? Crie outros: os de antes deixam de valer.',
    renew: 'Criar códigos novos',
    offHint: 'Para trocar de celular, desligue e ligue de novo com o aparelho novo.',
    turnOff: 'Desligar a verificação',
    turnOffSure: 'Sem a verificação, quem souber sua senha entra. Os códigos de recuperação também deixam de valer.',
    turnOffNow: 'Desligar agora',
    done: 'Tudo certo?',
    turnedOn: 'Verificação ligada',
    renewed: 'Códigos novos',
    keepLead: 'Guarde estes códigos de recuperação. Sem o celular, é com eles que você entra.',
    codes: 'Códigos de recuperação',
    eachOnce: 'Cada um vale uma vez, no lugar do código do aplicativo.',
    printOrCopy: 'Imprima esta página, ou copie os códigos para o seu gerenciador de senhas.',
    onlyNow: 'Eles só aparecem agora. Não os guarde no mesmo celular do aplicativo.',
    kept: 'Já guardei',
  },
}

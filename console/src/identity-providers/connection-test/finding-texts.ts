import { defineTexts } from '../../i18n/use-texts.ts'

/** The steps of a connection test, and the meaning of each answer. */
export const findingTexts = defineTexts({
  'pt-BR': {
    testTitle: 'Teste da conexão',
    test: 'Testar a conexão',
    testAbout: 'Verifica no provedor tudo o que não depende de uma pessoa: se responde, se é quem diz ser e se oferece o que é usado aqui.',
    testing: 'Testando…',
    notSaved: 'Nada foi salvo. Veja abaixo o que corrigir; se a falha é da rede ou passageira, salve assim mesmo.',
    saveAnyway: 'Salvar mesmo assim',
    otherIssuer: 'Para outro issuer, desconecte e conecte de novo.',
    works: 'A conexão funciona. Falta alguém entrar uma vez.',
    broken: 'Assim ninguém consegue entrar. Veja abaixo o que corrigir.',
    notReached: 'Este servidor não chegou ao provedor: o client ID e o segredo não foram testados, e podem estar certos.',
    findings: 'Resultado',
    results: { ok: 'Certo', warn: 'Atenção', fail: 'Errado' },
    checks: {
      discovery: 'Resposta do provedor',
      code_flow: 'Fluxo com código',
      pkce: 'PKCE',
      keys: 'Chaves públicas',
      issuer_parameter: 'Nome nas respostas',
      client: 'Cadastro da Portaria lá',
    },
    explains: {
      discovery: {
        ok: 'O endereço existe, e o provedor chama a si mesmo como o issuer daqui.',
        warn: 'Respondeu, mas não como se espera.',
        fail: 'Sem a descrição do provedor nada mais pode ser testado. O issuer está certo, letra por letra? A rede deste servidor chega até ele?',
      },
      code_flow: {
        ok: 'Oferece o fluxo que é usado aqui.',
        warn: 'Não diz que o oferece.',
        fail: 'Permita “authorization code” no cadastro da Portaria no provedor.',
      },
      pkce: {
        ok: 'Um código roubado no caminho não serve a ninguém.',
        warn: 'O desafio S256 é enviado do mesmo jeito. Ligue-o no provedor, se houver a opção.',
        fail: 'Ligue PKCE com S256 no provedor.',
      },
      keys: {
        ok: 'As assinaturas dele podem ser conferidas.',
        warn: 'As chaves foram lidas com ressalvas.',
        fail: 'Sem as chaves nenhuma assinatura pode ser conferida. O endereço delas precisa estar aberto a este servidor.',
      },
      issuer_parameter: {
        ok: 'Cada resposta diz de quem é, e isso é conferido.',
        warn: 'Não diz, e não faz mal: o parâmetro state já liga cada resposta ao provedor.',
        fail: 'As respostas dizem outro nome.',
      },
      client: {
        ok: 'O provedor conhece a Portaria.',
        warn: 'Só uma pessoa pode mostrar isto: cadastre lá o endereço de retorno acima e entre uma vez.',
        fail: 'O provedor não conhece este client ID, ou o segredo é outro.',
      },
    },
  },
  en: {
    testTitle: 'Connection test',
    test: 'Test the connection',
    testAbout:
      'Checks everything that does not need a user: whether the provider answers, is what it claims to be, and offers what is used here.',
    testing: 'Testing…',
    notSaved: 'Nothing was saved. See below what to fix; if the network is at fault, or the problem is temporary, save anyway.',
    saveAnyway: 'Save anyway',
    otherIssuer: 'For another issuer, disconnect it and connect it again.',
    works: 'The connection works. All that is left is for someone to sign in once.',
    broken: 'As it stands, nobody can sign in. See below what to fix.',
    notReached: 'This server did not reach the provider: the client ID and the secret were not tested, and may be right.',
    findings: 'Results',
    results: { ok: 'OK', warn: 'Warning', fail: 'Failed' },
    checks: {
      discovery: "The provider's answer",
      code_flow: 'Code flow',
      pkce: 'PKCE',
      keys: 'Public keys',
      issuer_parameter: 'Name in its answers',
      client: 'Registration of Portaria there',
    },
    explains: {
      discovery: {
        ok: 'The address exists, and the provider states the same issuer.',
        warn: 'It answered, but not as expected.',
        fail: "Without the provider's description nothing else can be tested. Is the issuer exactly right? Does this server's network reach it?",
      },
      code_flow: {
        ok: 'It offers the flow that is used here.',
        warn: 'It does not say that it offers it.',
        fail: 'Allow “authorization code” for Portaria at the provider.',
      },
      pkce: {
        ok: 'A code that is stolen on its way is of no use to anyone.',
        warn: 'The S256 challenge is sent all the same. Turn it on at the provider, if there is a switch.',
        fail: 'Turn on PKCE with S256 at the provider.',
      },
      keys: {
        ok: 'Its signatures can be checked.',
        warn: 'Its keys were read, with reservations.',
        fail: 'Without the keys no signature can be checked. Their address must be open to this server.',
      },
      issuer_parameter: {
        ok: 'Each answer says whose it is, and that is checked.',
        warn: 'It does not say so, which does no harm: the state parameter ties each answer to the provider.',
        fail: 'Its answers state another name.',
      },
      client: {
        ok: 'The provider knows Portaria.',
        warn: 'Only a sign-in can show this: register the redirect URI above over there, and sign in once.',
        fail: 'The provider does not know this client ID, or the secret is wrong.',
      },
    },
  },
  es: {
    testTitle: 'Prueba de la conexión',
    test: 'Probar la conexión',
    testAbout:
      'Pregunta al proveedor todo lo que se puede preguntar sin una persona: si responde, si es quien dice ser, si ofrece lo que se usa aquí.',
    testing: 'Probando…',
    notSaved: 'No se guardó nada. Mira abajo qué corregir; si la falla es de la red o pasajera, guarda de todos modos.',
    saveAnyway: 'Guardar de todos modos',
    otherIssuer: 'Para otro issuer, desconecta y conecta de nuevo.',
    works: 'La conexión funciona. Falta que una persona entre una vez.',
    broken: 'Así nadie puede entrar. Mira abajo qué corregir.',
    notReached: 'Este servidor no llegó al proveedor: el client ID y el secreto no se probaron, y pueden ser correctos.',
    findings: 'Resultado',
    results: { ok: 'Correcto', warn: 'Atención', fail: 'Erróneo' },
    checks: {
      discovery: 'Respuesta del proveedor',
      code_flow: 'Flujo con código',
      pkce: 'PKCE',
      keys: 'Claves públicas',
      issuer_parameter: 'Nombre en las respuestas',
      client: 'Registro de Portaria allí',
    },
    explains: {
      discovery: {
        ok: 'La dirección existe, y el proveedor se llama a sí mismo como el issuer de aquí.',
        warn: 'Respondió, pero no como se espera.',
        fail: 'Sin la descripción del proveedor no se puede probar nada más. ¿El issuer es correcto, letra por letra? ¿La red de este servidor llega hasta él?',
      },
      code_flow: {
        ok: 'Ofrece el flujo que se usa aquí.',
        warn: 'No dice que lo ofrece.',
        fail: 'Permite “authorization code” en el registro de Portaria en el proveedor.',
      },
      pkce: {
        ok: 'Un código robado en el camino no le sirve a nadie.',
        warn: 'El desafío S256 se envía igualmente. Actívalo en el proveedor, si existe la opción.',
        fail: 'Activa PKCE con S256 en el proveedor.',
      },
      keys: {
        ok: 'Sus firmas se pueden comprobar.',
        warn: 'Sus claves se leyeron con reservas.',
        fail: 'Sin las claves ninguna firma se puede comprobar. Su dirección debe estar abierta a este servidor.',
      },
      issuer_parameter: {
        ok: 'Cada respuesta dice de quién es, y eso se comprueba.',
        warn: 'No lo dice, y no hace daño: el parámetro state ya une cada respuesta al proveedor.',
        fail: 'Sus respuestas dicen otro nombre.',
      },
      client: {
        ok: 'El proveedor conoce a Portaria.',
        warn: 'Solo una persona puede mostrarlo: registra allí la dirección de retorno de arriba y entra una vez.',
        fail: 'El proveedor no conoce este client ID, o el secreto es otro.',
      },
    },
  },
})

import { defineTexts } from '../i18n/use-texts.ts'

type About = Readonly<Record<string, string>>

export const galleryTexts = defineTexts({
  'pt-BR': {
    choose: 'Com que contas as pessoas entram?',
    other: 'Outro provedor OpenID',
    otherOne: 'Escolher outro provedor',
    about: {
      google: 'Contas Google. Responde por endereços do gmail.com.',
      microsoft: 'Entra ID: contas da sua organização.',
      apple: 'Contas Apple, também com e-mail oculto. Pede uma chave no lugar do segredo.',
      facebook: 'Contas do Facebook. O e-mail é confirmado aqui, uma vez.',
      github: 'Contas do GitHub, ou de um GitHub Enterprise Server.',
      keycloak: 'Um realm do seu Keycloak.',
      other: 'Qualquer um com OpenID Connect e descoberta.',
    } as About,
    registerFirst: 'No provedor, se ainda não fez',
    registerFirstHelp: 'Cadastre lá este endereço de retorno, letra por letra. Ele é o mesmo para todos, e já vale.',
    issuerOwn: 'Troque a parte entre chaves pela sua.',
    teamId: 'Team ID',
    keyId: 'Key ID',
    privateKey: 'Conteúdo do arquivo .p8',
    privateKeyHelp: 'A Apple o entrega uma vez. Fica criptografado e não é mostrado de novo; os segredos são assinados com ele.',
    afterwards:
      'A conexão é testada antes de ser criada: se o provedor responde, se as chaves estão lá, se conhece este client ID e o segredo.',
    testAndCreate: 'Testar e criar',
  },
  en: {
    choose: 'Which accounts do users sign in with?',
    other: 'Another OpenID provider',
    otherOne: 'Choose another provider',
    about: {
      google: 'Google accounts. Vouches for gmail.com addresses.',
      microsoft: 'Entra ID: the accounts of your organisation.',
      apple: 'Apple accounts, with hidden addresses too. It needs a key in place of the secret.',
      facebook: 'Facebook accounts. The address is confirmed here, once.',
      github: 'Accounts of GitHub, or of a GitHub Enterprise Server.',
      keycloak: 'A realm of your Keycloak.',
      other: 'Any provider with OpenID Connect and discovery.',
    } as About,
    registerFirst: 'At the provider, if you have not yet',
    registerFirstHelp: 'Register this redirect URI there, exactly as shown. It is the same for all, and already works.',
    issuerOwn: 'Replace the part in braces with your own.',
    teamId: 'Team ID',
    keyId: 'Key ID',
    privateKey: 'Content of the .p8 file',
    privateKeyHelp: 'Apple gives it out only once. It is encrypted and not shown again; secrets are signed with it.',
    afterwards:
      'The connection is tested before it is created: whether the provider answers, has its keys, and knows this client ID and its secret.',
    testAndCreate: 'Test and create',
  },
  es: {
    choose: '¿Con qué cuentas entran las personas?',
    other: 'Otro proveedor OpenID',
    otherOne: 'Elegir otro proveedor',
    about: {
      google: 'Cuentas de Google. Responde por direcciones de gmail.com.',
      microsoft: 'Entra ID: las cuentas de tu organización.',
      apple: 'Cuentas de Apple, también con correo oculto. Pide una clave en lugar del secreto.',
      facebook: 'Cuentas de Facebook. El correo se confirma aquí, una vez.',
      github: 'Cuentas de GitHub, o de un GitHub Enterprise Server.',
      keycloak: 'Un realm de tu Keycloak.',
      other: 'Cualquiera con OpenID Connect y descubrimiento.',
    } as About,
    registerFirst: 'En el proveedor, si aún no lo hiciste',
    registerFirstHelp: 'Registra allí esta dirección de retorno, letra por letra. Es la misma para todos, y ya funciona.',
    issuerOwn: 'Pon la tuya en lugar de la parte entre llaves.',
    teamId: 'Team ID',
    keyId: 'Key ID',
    privateKey: 'Contenido del archivo .p8',
    privateKeyHelp: 'Apple lo entrega una vez. Queda cifrado y no se muestra de nuevo; los secretos se firman con él.',
    afterwards:
      'La conexión se prueba antes de crearla: si el proveedor responde, si sus claves están, y si conoce este client ID y su secreto.',
    testAndCreate: 'Probar y crear',
  },
})

import { defineTexts } from '../i18n/use-texts.ts'

/**
 * What exactly was found at a provider, by the codes of the API that are not about the way there. `%{…}` are the values that come with a
 * code.
 */
export const providerFaultTexts = defineTexts({
  'pt-BR': {
    names_another_issuer: '%{address} diz outro issuer, %{named}: conecte de novo com esse, letra por letra.',
    no_json: 'O que %{address} responde não é JSON: o issuer está certo?',
    not_https: '%{issuer} não é https, e só endereços https são chamados.',
    secret_unreadable: 'O client secret não abre com a chave mestra atual: dê-o de novo.',
    no_description: 'O que %{address} responde não descreve um provedor OpenID: o issuer está certo?',
    nothing_there: 'Não há nada em %{address} (404): procure um erro de digitação no issuer, também no caminho.',
    leads_elsewhere:
      '%{address} leva a outro lugar (%{status}), e redirecionamentos não são seguidos: use o issuer com que o provedor chama a si mesmo.',
    fault_there: '%{address} responde %{status}: há um problema lá. Tente mais tarde.',
    not_open: '%{address} responde %{status}, e precisa estar aberto a todos: fale com quem o mantém.',
    other_content: '%{address} responde %{type} onde se espera JSON: o issuer está certo, ou uma página de entrada ou um proxy interfere?',
    other_methods: 'Só oferece %{methods}; como S256 é enviado, pode recusar as entradas.',
    methods_unnamed: 'Não diz se confere PKCE.',
    no_key_address: 'Não publica o endereço das chaves (jwks_uri falta ou não é um endereço).',
    keys_not_open: '%{address} responde %{status}.',
    no_keys_in_answer: 'Não há chaves na resposta de %{address}.',
    keys_unreadable: 'A resposta de %{address} não pôde ser lida.',
  },
  en: {
    names_another_issuer: '%{address} names another issuer, %{named}: connect anew with that one, to the letter.',
    no_json: 'What %{address} answers is no JSON: is the issuer right?',
    not_https: '%{issuer} is not https, and only https addresses are called.',
    secret_unreadable: 'The client secret does not open with the present master key: give it again.',
    no_description: 'What %{address} answers does not describe an OpenID provider: is the issuer right?',
    nothing_there: 'There is nothing at %{address} (404): look for a typo in the issuer, its path too.',
    leads_elsewhere: '%{address} leads elsewhere (%{status}), and no redirect is followed: use the issuer that the provider calls itself.',
    fault_there: '%{address} answers %{status}: something is wrong over there. Try again later.',
    not_open: '%{address} answers %{status}, and has to be open to everybody: ask who runs it.',
    other_content: '%{address} answers %{type} where JSON is due: is the issuer right, or does a sign-in page or proxy cut in?',
    other_methods: 'It offers %{methods} alone; as S256 is sent, it may refuse to sign people in.',
    methods_unnamed: 'It does not say that it checks PKCE.',
    no_key_address: 'It publishes no address of its keys (jwks_uri is missing or no address).',
    keys_not_open: '%{address} answers %{status}.',
    no_keys_in_answer: 'No keys are in the answer of %{address}.',
    keys_unreadable: 'The answer of %{address} could not be read.',
  },
  es: {
    names_another_issuer: '%{address} dice otro issuer, %{named}: conecte de nuevo con ese, letra por letra.',
    no_json: 'Lo que %{address} responde no es JSON: ¿el issuer es correcto?',
    not_https: '%{issuer} no es https, y solo se llaman direcciones https.',
    secret_unreadable: 'El client secret no se abre con la llave maestra actual: délo de nuevo.',
    no_description: 'Lo que %{address} responde no describe un proveedor OpenID: ¿el issuer es correcto?',
    nothing_there: 'No hay nada en %{address} (404): busque un error de escritura en el issuer, también en la ruta.',
    leads_elsewhere:
      '%{address} lleva a otro lugar (%{status}), y no se siguen redirecciones: use el issuer con que el proveedor se llama a sí mismo.',
    fault_there: '%{address} responde %{status}: hay un problema allí. Inténtelo más tarde.',
    not_open: '%{address} responde %{status}, y debe estar abierto a todos: hable con quien lo mantiene.',
    other_content:
      '%{address} responde %{type} donde se espera JSON: ¿el issuer es correcto, o interfiere una página de inicio de sesión o un proxy?',
    other_methods: 'Solo ofrece %{methods}; como se envía S256, puede rechazar los inicios de sesión.',
    methods_unnamed: 'No dice si comprueba PKCE.',
    no_key_address: 'No publica la dirección de sus llaves (jwks_uri falta o no es una dirección).',
    keys_not_open: '%{address} responde %{status}.',
    no_keys_in_answer: 'No hay llaves en la respuesta de %{address}.',
    keys_unreadable: 'La respuesta de %{address} no se pudo leer.',
  },
})

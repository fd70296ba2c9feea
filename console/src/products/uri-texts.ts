import { defineTexts } from '../i18n/use-texts.ts'

/** Why an address can't be registered, and what is said of one that can; by the API's own words. */
export const uriTexts = defineTexts({
  'pt-BR': {
    label: 'Endereço de retorno',
    help: 'O endereço exato para onde as pessoas voltam depois de entrar, byte por byte. Com @portaria/client: o endereço do app mais /auth/callback.',
    checking: 'Conferindo…',
    good: 'Este endereço pode ser registrado.',
    here: 'Este endereço já está registrado neste produto.',
    use: (uri: string) => `Usar ${uri}`,
    notChecked: 'Não foi possível conferir agora; o serviço confere de novo ao salvar.',
    offDomain:
      'Fica fora do domínio interno: um produto interno não recebe sessão ali, a menos que você marque o endereço como confiável na página do produto.',
    refusals: {
      malformed: 'Falta algo: um endereço completo, sem espaços nem barras invertidas, como https://app.exemplo.com.br/auth/callback.',
      not_normal: 'O endereço não está na forma em que os navegadores o escrevem, e é comparado byte por byte.',
      scheme: 'Comece com https://. Com http:// só na própria máquina: localhost ou 127.0.0.1.',
      userinfo: 'Retire o nome de usuário e a @: a senha ficaria em todos os registros de acesso.',
      fragment: 'Retire o # e o que vem depois: navegadores não o enviam ao servidor.',
      wildcard: 'Curingas (*) não são aceitos: registre cada endereço. Um curinga entregaria sessões a quem controlar um só deles.',
      host: 'O nome do servidor falta ou termina com ponto.',
      reserved_parameter: 'Retire eg_session, eg_token e state da consulta: a Portaria acrescenta esses parâmetros.',
      too_long: 'O endereço passa de 1000 caracteres.',
    },
    taken: (slug: string) => `Já pertence a ${slug}: cada endereço é de um produto só.`,
    refused: 'Este endereço não pode ser registrado.',
  },
  en: {
    label: 'Redirect URI',
    help: "The exact address that users return to after signing in, byte for byte. With @portaria/client: the app's address followed by /auth/callback.",
    checking: 'Checking…',
    good: 'This address can be registered.',
    here: 'This address is already registered for this product.',
    use: (uri: string) => `Use ${uri}`,
    notChecked: 'It could not be checked right now; the service checks again when you save.',
    offDomain:
      'It is outside the internal domain: an internal product gets no session there unless you mark the address as trusted on the product’s page.',
    refusals: {
      malformed: 'Something is missing: a complete address without spaces or backslashes, like https://app.example.com/auth/callback.',
      not_normal: 'The address is not in the form in which browsers write it, and it is compared byte for byte.',
      scheme: 'Begin with https://. With http:// only on your own machine: localhost or 127.0.0.1.',
      userinfo: 'Remove the user name and the @: the password would end up in every access log.',
      fragment: 'Remove the # and what follows: browsers do not send it to the server.',
      wildcard:
        'Wildcards (*) are not accepted: register each address. A wildcard would give sessions to anyone who controls just one of them.',
      host: 'The server name is missing or ends with a dot.',
      reserved_parameter: 'Remove eg_session, eg_token and state from the query: Portaria adds those itself.',
      too_long: 'The address is longer than 1000 characters.',
    },
    taken: (slug: string) => `It already belongs to ${slug}: each address belongs to one product only.`,
    refused: 'This address cannot be registered.',
  },
  es: {
    label: 'Dirección de retorno',
    help: 'La dirección exacta a la que vuelven las personas después de entrar, byte por byte. Con @portaria/client: la dirección de la app más /auth/callback.',
    checking: 'Comprobando…',
    good: 'Esta dirección se puede registrar.',
    here: 'Esta dirección ya está registrada en este producto.',
    use: (uri: string) => `Usar ${uri}`,
    notChecked: 'No se pudo comprobar ahora; el servicio comprueba de nuevo al guardar.',
    offDomain:
      'Está fuera del dominio interno: un producto interno no recibe sesión allí, salvo que marques la dirección como de confianza en la página del producto.',
    refusals: {
      malformed: 'Falta algo: una dirección completa, sin espacios ni barras invertidas, como https://app.ejemplo.com/auth/callback.',
      not_normal: 'La dirección no está en la forma en que la escriben los navegadores, y se compara byte por byte.',
      scheme: 'Empieza con https://. Con http:// solo en la propia máquina: localhost o 127.0.0.1.',
      userinfo: 'Quita el nombre de usuario y la @: la contraseña quedaría en todos los registros de acceso.',
      fragment: 'Quita el # y lo que sigue: los navegadores no lo envían al servidor.',
      wildcard: 'No se aceptan comodines (*): registra cada dirección. Un comodín entregaría sesiones a quien controle una sola de ellas.',
      host: 'El nombre del servidor falta o termina en punto.',
      reserved_parameter: 'Quita eg_session, eg_token y state de la consulta: Portaria añade esos parámetros.',
      too_long: 'La dirección pasa de 1000 caracteres.',
    },
    taken: (slug: string) => `Ya pertenece a ${slug}: cada dirección es de un solo producto.`,
    refused: 'Esta dirección no se puede registrar.',
  },
})

import { defineTexts } from '../i18n/use-texts.ts'

/** Why a call from the service got no answer, by the codes of its API. `%{…}` are the values that come with a code. */
export const networkTexts = defineTexts({
  'pt-BR': {
    private_address: '%{host} é um endereço privado: só é chamado se PORTARIA_ALLOW_PRIVATE o nomear.',
    timed_out: '%{host} não respondeu a tempo. Está no ar, e nenhum firewall fica no caminho?',
    forbidden_port: '%{host} fica em uma porta que clientes web se recusam a chamar: use outra porta lá.',
    no_such_host:
      'O nome %{hostname} não foi encontrado, e nada foi perguntado lá. Confira o nome, e se este servidor tem rede e um DNS que o conhece.',
    no_lookup: 'O nome %{hostname} não pôde ser consultado agora: confira a rede e o DNS deste servidor e tente de novo.',
    refuses_connections: '%{host} não atende. Está no ar, e dá para chegar até lá daqui?',
    no_way: 'Nenhum caminho leva deste servidor até %{host}: confira a rede e o firewall.',
    drops_connections: '%{host} encerrou a conexão sem responder. A porta está certa, e nenhum proxy ou firewall interfere?',
    no_tls: '%{host} não fala TLS. A porta está certa, e é mesmo https lá?',
    certificate_expired: 'O certificado de %{host} venceu: precisa ser renovado lá.',
    certificate_not_yet_valid: 'O certificado de %{host} ainda não vale: confira o relógio deste servidor.',
    certificate_of_other_host: 'O certificado de %{host} é de outro nome: use o nome para o qual ele foi feito.',
    certificate_untrusted:
      'Este servidor não confia no certificado de %{host}. Se a autoridade é sua, indique o certificado dela em NODE_EXTRA_CA_CERTS.',
  },
  en: {
    private_address: '%{host} is a private address: it is called only if PORTARIA_ALLOW_PRIVATE names it.',
    timed_out: '%{host} did not answer in time. Is it up, and is there no firewall in between?',
    forbidden_port: '%{host} is on a port that web clients refuse to call: use another port there.',
    no_such_host:
      'The name %{hostname} was not found, so nothing was asked there. Check the name, and that this server has a network and a DNS that knows it.',
    no_lookup: "The name %{hostname} cannot be looked up right now: check this server's network and DNS, then try again.",
    refuses_connections: '%{host} does not answer. Is it running, and reachable from here?',
    no_way: 'There is no route from this server to %{host}: check the network and firewall.',
    drops_connections: '%{host} closed the connection without answering. Is the port right, and is there no proxy or firewall in the way?',
    no_tls: '%{host} does not speak TLS. Is the port right, and is it https there?',
    certificate_expired: 'The certificate of %{host} has expired: it has to be renewed there.',
    certificate_not_yet_valid: 'The certificate of %{host} is not valid yet: check the clock of this server.',
    certificate_of_other_host: 'The certificate of %{host} is for another host: use the name that it is for.',
    certificate_untrusted:
      "This server does not trust the certificate of %{host}. If its authority is your own, name that authority's certificate in NODE_EXTRA_CA_CERTS.",
  },
  es: {
    private_address: '%{host} es una dirección privada: solo se llama si PORTARIA_ALLOW_PRIVATE la nombra.',
    timed_out: '%{host} no respondió a tiempo. ¿Está en línea, y no hay un firewall en el camino?',
    forbidden_port: '%{host} está en un puerto que los clientes web se niegan a llamar: usa otro puerto allí.',
    no_such_host:
      'El nombre %{hostname} no se encontró, y allí no se preguntó nada. Revisa el nombre, y que este servidor tenga red y un DNS que lo conozca.',
    no_lookup: 'El nombre %{hostname} no se pudo consultar ahora: revisa la red y el DNS de este servidor e inténtalo de nuevo.',
    refuses_connections: '%{host} no atiende. ¿Está en marcha, y se llega hasta allí desde aquí?',
    no_way: 'Ningún camino lleva de este servidor a %{host}: revisa la red y el firewall.',
    drops_connections: '%{host} cerró la conexión sin responder. ¿El puerto es correcto, y ningún proxy o firewall interfiere?',
    no_tls: '%{host} no habla TLS. ¿El puerto es correcto, y es https allí?',
    certificate_expired: 'El certificado de %{host} venció: hay que renovarlo allí.',
    certificate_not_yet_valid: 'El certificado de %{host} aún no vale: revisa el reloj de este servidor.',
    certificate_of_other_host: 'El certificado de %{host} es de otro nombre: usa el nombre para el que fue hecho.',
    certificate_untrusted:
      'Este servidor no confía en el certificado de %{host}. Si la autoridad es tuya, indica su certificado en NODE_EXTRA_CA_CERTS.',
  },
})

import { defineTexts } from '../../i18n/use-texts.ts'

/** Why a gateway's API could not be used, and warnings about its address: by the API's codes, without those of the network. */
export const gatewayFaultTexts = defineTexts({
  'pt-BR': {
    token_refused:
      'Recusou a chave de acesso (%{status}). Copie-a de novo, inteira; confira se não é a de teste no lugar da de produção, ou o contrário, e se pode ler cobranças.',
    unknown_there:
      'Não conhece o que foi perguntado (404): o endereço da API não é o certo. Apague-o para usar o de produção, ou copie o da documentação, com o caminho.',
    leads_elsewhere: 'Leva a outro lugar (%{status}), e redirecionamentos não são seguidos: o endereço da API não é o certo.',
    asked_too_often: 'Foi consultada demais. Espere um minuto e teste de novo.',
    bad_answer: 'Respondeu com erro (%{status}). Se o endereço da API é o certo, o problema está lá: teste de novo mais tarde.',
    answer_too_long: 'A resposta passa de 1 MiB: o endereço da API é mesmo o certo?',
    call_failed: 'A chamada não deu certo. Se o endereço da API é o certo, teste de novo mais tarde.',
    no_json:
      'A resposta não é JSON: o endereço da API não é o certo. Apague-o para usar o de produção, ou copie o da documentação, com o caminho.',
    version_twice: 'As perguntas já começam com a versão, e ela apareceria duas vezes. O endereço próprio é %{own_url}, sem versão.',
    other_end: 'O endereço próprio é %{own_url}: um que não termina em %{end} quase sempre responde 404.',
  },
  en: {
    token_refused:
      'It refused the access token (%{status}). Copy all of it again; check that it is not the test one instead of the live one, or the other way round, and that it can read charges.',
    unknown_there:
      'It does not know what was asked for (404): the API address is wrong. Empty it to use the live one, or copy the one in the documentation, with its path.',
    leads_elsewhere: 'It redirects elsewhere (%{status}), and redirects are not followed: the API address is wrong.',
    asked_too_often: 'It was asked too often. Wait a minute and test again.',
    bad_answer: 'It answered with an error (%{status}). If the API address is right, the problem is on that side: test again later.',
    answer_too_long: 'Its answer is longer than 1 MiB: is the API address the right one?',
    call_failed: 'The call failed. If the API address is right, test again later.',
    no_json:
      'Its answer is not JSON: the API address is wrong. Empty it to use the live one, or copy the one in the documentation, with its path.',
    version_twice: 'Requests already start with the version, so it would appear twice. The usual address is %{own_url}, without a version.',
    other_end: 'The usual address is %{own_url}: one that does not end in %{end} will most likely answer 404.',
  },
  es: {
    token_refused:
      'Rechazó la clave de acceso (%{status}). Cópiala de nuevo, entera; mira que no sea la de prueba en lugar de la de producción, o al revés, y que pueda leer cobros.',
    unknown_there:
      'No conoce lo que se preguntó (404): la dirección de la API no es la correcta. Bórrala para usar la de producción, o copia la de la documentación, con su ruta.',
    leads_elsewhere: 'Lleva a otro lugar (%{status}), y no se siguen redirecciones: la dirección de la API no es la correcta.',
    asked_too_often: 'Se consultó demasiado. Espera un minuto y prueba de nuevo.',
    bad_answer: 'Respondió con error (%{status}). Si la dirección de la API es la correcta, el problema está allí: prueba más tarde.',
    answer_too_long: 'La respuesta pasa de 1 MiB: ¿la dirección de la API es la correcta?',
    call_failed: 'La llamada falló. Si la dirección de la API es la correcta, prueba más tarde.',
    no_json:
      'La respuesta no es JSON: la dirección de la API no es la correcta. Bórrala para usar la de producción, o copia la de la documentación, con su ruta.',
    version_twice: 'Las preguntas ya empiezan con la versión, y aparecería dos veces. La dirección propia es %{own_url}, sin versión.',
    other_end: 'La dirección propia es %{own_url}: una que no termina en %{end} casi siempre responde 404.',
  },
})

import type { Language } from '../../pages/index.ts'

/** The words around the API description, whose own text is English. Portuguese is the master. */
const ptBR = {
  title: 'API da Portaria',
  version: (version: string) => `Versão ${version}. Os textos técnicos estão em inglês`,
  contents: 'Nesta página',
  credentials: 'Credenciais',
  needs: 'Precisa de:',
  nothing: 'nada',
  or: 'ou',
  query: 'Parâmetros do endereço',
  body: 'Corpo do pedido',
  answers: 'Respostas',
  name: 'Nome',
  type: 'Tipo',
  meaning: 'Significado',
  required: 'obrigatório',
  example: 'Exemplo',
  error: 'error',
  when: 'Quando',
}

export type DocsTexts = typeof ptBR

const en = {
  title: 'The API of Portaria',
  version: (version) => `Version ${version}`,
  contents: 'On this page',
  credentials: 'Credentials',
  needs: 'Needs:',
  nothing: 'nothing',
  or: 'or',
  query: 'Parameters',
  body: 'Request body',
  answers: 'Answers',
  name: 'Name',
  type: 'Type',
  meaning: 'Meaning',
  required: 'required',
  example: 'Example',
  error: 'error',
  when: 'When',
} satisfies DocsTexts

const es = {
  title: 'API de Portaria',
  version: (version) => `Versión ${version}. Los textos técnicos están en inglés`,
  contents: 'En esta página',
  credentials: 'Credenciales',
  needs: 'Necesita:',
  nothing: 'nada',
  or: 'o',
  query: 'Parámetros de la dirección',
  body: 'Cuerpo de la petición',
  answers: 'Respuestas',
  name: 'Nombre',
  type: 'Tipo',
  meaning: 'Significado',
  required: 'obligatorio',
  example: 'Ejemplo',
  error: 'error',
  when: 'Cuándo',
} satisfies DocsTexts

export const docsTexts: Record<Language, DocsTexts> = { 'pt-BR': ptBR, en, es }

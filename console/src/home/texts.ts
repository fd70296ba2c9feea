import { defineTexts } from '../i18n/use-texts.ts'

export const homeTexts = defineTexts({
  'pt-BR': { title: 'Início', greeting: (name: string) => `Olá, ${name}` },
  en: { title: 'Home', greeting: (name: string) => `Hello, ${name}` },
  es: { title: 'Inicio', greeting: (name: string) => `Hola, ${name}` },
})
